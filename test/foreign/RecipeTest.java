// More scenarios for the extension in docs/recipes/java.md; recipes.slow.test.ts runs them there.
import static org.junit.jupiter.api.Assertions.*;
import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VitrineExtension.class)
class RecipeTest {
  static final String LOGIN = "{\"email\": \"ada@example.test\", \"password\": \"Vitrine!2026\"}";
  static final String GUIDE = "Basic Z3VpZGU6c2VjcmV0"; // guide:secret
  final HttpClient http = HttpClient.newHttpClient();
  VitrineExtension.World world;

  @BeforeEach void create(VitrineExtension.World world) {
    this.world = world;
  }

  HttpResponse<String> send(String method, String url, String authorization, String body) throws Exception {
    return http.send(HttpRequest.newBuilder(URI.create(url))
        .header("Authorization", authorization).header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> logIn() throws Exception {
    return send("POST", world.account + "/login", "", LOGIN);
  }

  int callAsUser(String token) throws Exception {
    return send("GET", world.account + "/pre-sales", "Bearer " + token, "").statusCode();
  }

  @Test void logsInOnceForManyCalls() throws Exception {
    String token = VitrineExtension.read(logIn().body(), "token");
    assertEquals(List.of(200, 200), List.of(callAsUser(token), callAsUser(token)));
    world.verify("{\"operation\": \"account.login\", \"times\": 1}");
  }

  @Test void logsInAgainIfTheTokenExpires() throws Exception {
    String expired = world.control("POST", "/tokens", "{\"user\": \"ada@example.test\", \"kind\": \"expired\"}");
    assertEquals(401, callAsUser(VitrineExtension.read(expired, "token")));
    logIn();
    world.control("POST", "/clock/advance", "{\"by\": \"25h\"}");
    assertEquals(200, logIn().statusCode());
    world.verify("{\"problem\": \"tokenExpired\", \"times\": 1}");
  }

  @Test void learnsWhenAThrottledLoginIsPossible() throws Exception {
    logIn();
    assertEquals(List.of("86400"), logIn().headers().allValues("Retry-After"));
  }

  @Test void succeedsAfterTwoErrors() throws Exception {
    world.use("{\"limit\": {\"times\": 2}, \"then\": {\"respond\": {\"status\": 503}}}");
    for (int status : List.of(503, 503, 200))
      assertEquals(status, send("GET", world.museum + "/museum-hours", GUIDE, "").statusCode());
  }

  @Test void givesUpOnASlowResponse() {
    world.use("{\"then\": {\"delay\": \"60s\"}}");
    var hours = HttpRequest.newBuilder(URI.create(world.museum + "/museum-hours")).timeout(Duration.ofMillis(200));
    assertThrows(HttpTimeoutException.class, () -> http.send(hours.build(), HttpResponse.BodyHandlers.ofString()));
    world.verify("{\"operation\": \"museum.getMuseumHours\", \"gone\": true, \"times\": 1, \"within\": \"5s\"}");
  }

  @Test void receivesAnEventTwiceIfTheListChanges() throws Exception {
    String pages = send("GET", world.museum + "/special-events", GUIDE, "").body();
    Client.addLamps(world.museum);
    pages += send("GET", world.museum + "/special-events?page=2", GUIDE, "").body();
    var ids = Pattern.compile("\"eventId\":\".*?\"").matcher(pages).results().map(id -> id.group()).toList();
    assertEquals(ids.size() - 1, ids.stream().distinct().count());
  }

  @Test void isAlertedIfUsageLeavesTooLittleCredit() {
    world.control("PUT", "/scenario", "{\"name\": \"presale-nearly-used-up\"}");
    world.control("POST", "/usage", "{\"sent\": 1, \"user\": \"ada@example.test\"}");
    assertTrue(world.control("GET", "/mailbox?to=ops@example.test", "").contains("Presale"));
  }
}
