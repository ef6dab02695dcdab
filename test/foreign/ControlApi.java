// A whole test, steered over the control API, with nothing but the standard library of Java 17.
//
// Run it as `vitrine exec -- java ControlApi.java`: the addresses then stand in the environment.

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Pattern;

public final class ControlApi {
    private static final HttpClient HTTP = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10))
        .build();

    private static final String ADA = """
        {"email": "ada@example.test", "password": "Vitrine!2026"}""";
    private static final String GUIDE = "Basic "
        + Base64.getEncoder().encodeToString("guide:secret".getBytes(StandardCharsets.UTF_8));
    private static final String EVENT = """
        {
          "name": "Night of the lamps",
          "location": "Hall 2",
          "eventDescription": "After dark",
          "dates": ["2026-03-31"],
          "price": 12.5
        }""";

    public static void main(String[] arguments) throws Exception {
        try {
            test();
        } catch (Broken broken) {
            System.err.println("BROKEN  " + broken.getMessage());
            System.exit(1);
        }
    }

    private static void test() throws IOException, InterruptedException {
        String control = System.getenv("VITRINE_CONTROL_URL");
        if (control == null) throw new Broken("VITRINE_CONTROL_URL is not set. Run this as: vitrine exec -- java ControlApi.java");

        World world = World.make(control, "java");
        expect("the world's address", world.museum().contains("/~java/museum/"), true);
        step("made a world of its own at " + world.control());

        world.say("PUT", "/scenario", """
            {"name": "presale-nearly-used-up"}""");
        expect("the scenario in force", world.say("GET", "/scenario").text("name"), "presale-nearly-used-up");
        step("laid the scenario presale-nearly-used-up");

        world.say("PUT", "/clock", """
            {"at": "2026-03-05T09:00:00Z", "mode": "frozen"}""");
        expect("the clock", world.say("GET", "/clock").text("at"), "2026-03-05T09:00:00.000Z");
        step("froze the clock on 5 March 2026");

        Reply rule = world.say("POST", "/rules", """
            {
              "id": "busy",
              "when": {"operation": "museum.listSpecialEvents"},
              "limit": {"times": 1},
              "then": {"respond": {"status": 503, "headers": {"Retry-After": "5"}}}
            }""");
        expect("the rule's id", rule.text("id"), "busy");
        Reply busy = world.events();
        expect("the first list of events", busy.status(), 503);
        expect("when to come back", busy.header("Retry-After"), "5");
        expect("the second list of events", world.events().status(), 200);
        step("a rule made the museum busy, once");

        Reply first = world.logIn();
        expect("the first login", first.status(), 200);
        expect("the profile's mail", world.profile(first.text("token")).text("email"), "ada@example.test");
        Reply throttled = world.logIn();
        expect("the second login", throttled.status(), 429);
        expect("when to log in again", throttled.header("Retry-After"), "86400");
        step("logged in, and was throttled the second time");

        world.say("POST", "/clock/advance", """
            {"by": "24h"}""");
        expect("the old token a day later", world.profile(first.text("token")).status(), 401);
        expect("the login a day later", world.logIn().status(), 200);
        step("a day later the token is old, and the next login good");

        Reply mailbox = world.mailsToOps();
        int invoices = 0;
        while (mailbox.isEmptyList() && invoices < 20) {
            world.say("POST", "/usage", """
                {"sent": 1, "user": "ada@example.test"}""");
            invoices += 1;
            mailbox = world.mailsToOps();
        }
        expect("an alert mail", mailbox.isEmptyList(), false);
        expect("the mail's time", mailbox.text("at"), "2026-03-06T09:00:00.000Z");
        step("the alert came after %d invoice(s): %s".formatted(invoices, mailbox.text("subject")));

        Reply expired = world.say("POST", "/tokens", """
            {"user": "ada@example.test", "kind": "expired"}""");
        Reply refused = world.profile(expired.text("token"));
        expect("an expired token", refused.status(), 401);
        expect("the refusal's words", refused.text("message"), "Expired JWT Token");
        step("an expired token is refused");

        Reply right = world.say("POST", "/journal/verify", """
            {"operation": "account.login", "status": 429, "times": 1}""");
        expect("verify: one throttled login", right.field("ok"), "true");
        Reply wrong = world.say("POST", "/journal/verify", """
            {"operation": "account.login", "status": 429, "times": 2}""");
        expect("verify: two throttled logins", wrong.field("ok"), "false");
        expect("how many there were", wrong.field("found"), "1");
        step("verified the journal, and was told no: " + wrong.text("message"));

        String before = world.say("POST", "/snapshots", """
            {"name": "before"}""").text("id");
        Reply made = call("POST", world.museum() + "/special-events", EVENT, GUIDE);
        expect("the new event", made.status(), 201);
        String address = world.museum() + "/special-events/" + made.text("eventId");
        expect("the event that was made", call("GET", address, null, GUIDE).status(), 200);
        world.say("POST", "/snapshots/" + before + "/restore", "{}");
        expect("the event after the restore", call("GET", address, null, GUIDE).status(), 404);
        step("took a snapshot and went back to it");

        world.say("POST", "/reset", "{}");
        for (String what : new String[] {"/rules", "/mailbox", "/journal"})
            expect(what + " after the reset", world.say("GET", what).body(), "[]");
        step("reset everything");

        world.delete();
        expect("the world that is gone", world.events().status(), 404);
        step("deleted the world");
    }

    /** A world of its own: clock, data, rules, keys, mailbox and journal that no other test sees. */
    private record World(String address, String museum, String account, String control) {
        static World make(String control, String name) throws IOException, InterruptedException {
            Reply made = call("POST", control + "/worlds", "{\"name\": \"" + name + "\"}", null);
            expect("making the world " + name, made.status(), 201);
            String address = control + "/worlds/" + name;
            return new World(address, made.text("museum"), made.text("account"), made.text("control"));
        }

        /** One verb of the control API, which must succeed. */
        Reply say(String method, String path, String body) throws IOException, InterruptedException {
            Reply reply = call(method, control + path, body, null);
            if (reply.status() >= 300)
                throw new Broken("%s %s: %d %s".formatted(method, path, reply.status(), reply.body()));
            return reply;
        }

        Reply say(String method, String path) throws IOException, InterruptedException {
            return say(method, path, null);
        }

        Reply logIn() throws IOException, InterruptedException {
            return call("POST", account + "/login", ADA, null);
        }

        Reply events() throws IOException, InterruptedException {
            return call("GET", museum + "/special-events", null, GUIDE);
        }

        Reply profile(String token) throws IOException, InterruptedException {
            return call("GET", account + "/users/me", null, "Bearer " + token);
        }

        Reply mailsToOps() throws IOException, InterruptedException {
            return say("GET", "/mailbox?to=ops%40example.test");
        }

        void delete() throws IOException, InterruptedException {
            expect("deleting the world", call("DELETE", address, null, null).status(), 204);
        }
    }

    /** What came back. The library has no JSON, and a few fields need no more than a pattern. */
    private record Reply(int status, HttpHeaders headers, String body) {
        String header(String name) {
            return headers.firstValue(name).orElse(null);
        }

        /** The first field of that name whose value is a text. */
        String text(String name) {
            return find("\"((?:[^\"\\\\]|\\\\.)*)\"", name);
        }

        /** The first field of that name whose value is a number, true or false. */
        String field(String name) {
            return find("([\\w.+-]+)", name);
        }

        boolean isEmptyList() {
            return body.equals("[]");
        }

        private String find(String value, String name) {
            var match = Pattern.compile('"' + Pattern.quote(name) + "\"\\s*:\\s*" + value).matcher(body);
            if (!match.find()) throw new Broken("no field " + name + " in " + status + " " + body);
            return match.group(1);
        }
    }

    /** One request with JSON both ways. A refusal is an answer like any other. */
    private static Reply call(String method, String url, String body, String authorization)
        throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(10))
            .header("Accept", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) request.header("Content-Type", "application/json");
        if (authorization != null) request.header("Authorization", authorization);
        var answer = HTTP.send(request.build(), BodyHandlers.ofString());
        return new Reply(answer.statusCode(), answer.headers(), answer.body());
    }

    private static void expect(String what, Object found, Object wanted) {
        if (!Objects.equals(found, wanted))
            throw new Broken("%s: expected %s, found %s".formatted(what, wanted, found));
    }

    private static void step(String text) {
        System.out.println("ok      " + text);
    }

    private static final class Broken extends RuntimeException {
        Broken(String message) {
            super(message);
        }
    }
}
