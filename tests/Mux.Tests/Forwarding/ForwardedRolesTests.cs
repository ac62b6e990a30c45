using System.Security.Claims;
using System.Security.Cryptography;
using Mux.Identity;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;
using Mux.Transports;

namespace Mux.Tests.Forwarding;

/// <summary>
/// What [MuxAuthorize] means behind a gateway: it is checked against the caller, as a gateway names it that the service believes, and never against the gateway.
/// </summary>
public sealed class ForwardedRolesTests : GatewayTests
{
    private static readonly SharedKey s_clerk = Key("ann", "clerk"), s_manager = Key("mia", "manager", "clerk"), s_gateway = Key("mux-gateway", "manager");

    private readonly Office _office = new();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestLimit)]
    public async Task A_clerk_may_not_call_through_a_gateway_what_needs_a_manager_although_the_gateway_is_one()
    {
        var (scene, gateway, service) = StartPair(isBelieved: false);

        await OfficeOf(scene, gateway, s_clerk).Look([1]); // needs no role: the gateway is authenticated
        foreach (var key in new[] { s_clerk, s_manager })
        {
            foreach (var failure in await FailuresOf(OfficeOf(scene, gateway, key)))
            {
                Assert.Equal((MuxStatus.PermissionDenied, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
                Assert.Contains("Identity.Gateways", failure.Message, StringComparison.Ordinal);
                Assert.Contains("Mux:Server:Identity:Gateways", failure.Message, StringComparison.Ordinal);
            }
        }

        Assert.Equal(1, _office.Started);
        Assert.Contains("Gateways does not name", scene.Logs.Of("AccessDenied")[0].Text, StringComparison.Ordinal);
        await OfficeOf(scene, service, s_gateway).Cancel([1], Ct); // for itself a gateway calls like any user
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_a_gateway_makes_for_itself_opens_no_method_for_those_that_it_forwards()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = StartService(scene, isBelieved: false);
        var channel = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var gateway = StartGateway(scene, channel, Identify);
        await channel.CreateProxy<IOffice>().Cancel([1], Ct); // on the connection that carries forwarded calls
        await OfficeOf(scene, gateway, s_clerk).Cancel([2], Ct).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Roles_and_policies_are_those_of_the_caller_of_a_gateway_that_is_believed()
    {
        var (scene, gateway, _) = StartPair(isBelieved: true);
        var clerk = OfficeOf(scene, gateway, s_clerk);
        foreach (var failure in await FailuresOf(clerk))
        {
            Assert.Equal((MuxStatus.PermissionDenied, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
            Assert.EndsWith("The caller may not call this method.", failure.Message, StringComparison.Ordinal);
        }

        Assert.Contains("ann, as the gateway mux-gateway says,", scene.Logs.Of("AccessDenied")[0].Text, StringComparison.Ordinal);
        var manager = OfficeOf(scene, gateway, s_manager);
        for (byte i = 1; i <= 3; i++)
        {
            Assert.Equal([i], await manager.Cancel([i], Ct));
            Assert.Equal(Bytes(40_000, i), await manager.Move(Bytes(40_000, i))); // in fragments, by a policy
            Assert.Equal([[i]], await WatchAsync(manager, i));
        }

        var seen = _office.Seen!.User!;
        Assert.Equal(("mia", "mux-gateway", true), (seen.Identity!.Name, seen.Identity.AuthenticationType, seen.IsInRole("manager") && seen.IsInRole("clerk")));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_policy_is_asked_once_for_each_caller_and_keeps_their_calls_in_order()
    {
        int asked = 0;
        var (scene, gateway, _) = StartPair(isBelieved: true, north: user =>
        {
            Interlocked.Increment(ref asked);
            return user.IsInRole("manager");
        });
        int atStart = asked; // the connection of the gateway itself
        var office = OfficeOf(scene, gateway, s_manager);
        var calls = Enumerable.Range(0, 40).Select(i => office.Number([(byte)i]).AsTask()).ToArray();
        var answers = await Task.WhenAll(calls).Within("forty calls");
        Assert.Equal(Enumerable.Range(0, 40).Select(static i => (i + 1, i)), answers.Select(static answer => ((int)answer[0], (int)answer[1])));
        await OfficeOf(scene, gateway, s_clerk).Number([1]).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        await OfficeOf(scene, gateway, s_manager).Number([1]);
        Assert.InRange(asked - atStart, 2, 4); // by policy and connection of the gateway
    }

    [Fact(Timeout = TestLimit)]
    public async Task Policies_are_asked_again_about_a_caller_that_was_looked_at_a_minute_ago()
    {
        var time = new ManualTime();
        bool mayMove = true;
        var (scene, gateway, _) = StartPair(isBelieved: true, time: time, north: _ => mayMove);
        var office = OfficeOf(scene, gateway, s_manager);
        await office.Move([1]);
        mayMove = false;
        time.Advance(TimeSpan.FromSeconds(55));
        await office.Move([2]);
        time.Advance(TimeSpan.FromSeconds(10));
        await office.Move([3]).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        mayMove = true;
        time.Advance(TimeSpan.FromSeconds(65));
        await office.Move([4]);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_handler_that_asks_what_its_caller_may_call_asks_no_policy_again()
    {
        int asked = 0;
        var (scene, gateway, service) = StartPair(isBelieved: true, north: user => Interlocked.Increment(ref asked) > 0);
        await OfficeOf(scene, gateway, s_clerk).Move([1]);
        int before = asked;
        for (int i = 0; i < 3; i++)
        {
            var may = service.Contracts.Single(static contract => contract.Name == "shop.Office").Methods.Where(method => service.MayCall(_office.Seen!, method));
            Assert.Equal(["shop.Office/Hours", "shop.Office/Look", "shop.Office/Move", "shop.Office/Number"], may.Select(static method => method.FullName).Order());
        }

        Assert.Equal(before, asked);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_policy_that_blocks_holds_up_no_other_call_of_the_gateway()
    {
        using var held = new ManualResetEventSlim();
        // Over sockets: one thread pumps a network in memory.
        var (scene, gateway, _) = StartPair(isBelieved: true, kind: TransportKind.Tcp, north: user =>
        {
            if (user.Identity!.Name == "mia" && !held.Wait(TimeSpan.FromSeconds(20))) throw new TimeoutException("The test let the policy go too late.");
            return true;
        });
        var waiting = OfficeOf(scene, gateway, s_manager).Move([7]).AsTask();
        await OfficeOf(scene, gateway, s_clerk).Look([1]);
        await OfficeOf(scene, gateway, s_clerk).Move([1]);
        held.Set();
        Assert.Equal([7], await waiting.Within("the call whose policy has blocked"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_method_that_needs_a_user_refuses_the_anonymous_callers_of_a_gateway_that_is_believed()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = StartService(scene, isBelieved: true);
        var gateway = StartGateway(scene, scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway)));
        var office = scene.CreateChannel(gateway).CreateProxy<IOffice>();
        Assert.Equal([1], await office.Hours([1]));
        var failure = await office.Look([1]).FailsAsync(MuxStatus.Unauthenticated, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.EndsWith("The caller is not authenticated: the gateway named none.", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Roles_and_chosen_claims_pass_two_gateways()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = StartService(scene, isBelieved: true, user => user.HasClaim("tenant", "north") && !user.HasClaim(claim => claim.Type == "secret"));
        var behind = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var second = scene.StartServer(server => server.AddRoute(new MuxRoute(Pattern, behind) { Claims = "tenant" }), Identify);
        var between = scene.CreateChannel(second, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var first = scene.StartServer(server => server.AddRoute(new MuxRoute(Pattern, between) { Claims = "tenant, secret", Roles = "manager" }), IdentifyByToken);
        var office = scene.CreateChannel(first, options => options.Credentials = Token("north")).CreateProxy<IOffice>();
        Assert.Equal([3], await office.Cancel([3], Ct));
        Assert.Equal([4], await office.Move([4]));
        Assert.Equal("bearer of north", _office.Seen!.User!.Identity!.Name);
        var other = scene.CreateChannel(first, options => options.Credentials = Token("south")).CreateProxy<IOffice>();
        await other.Move([4]).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_gateway_behind_one_that_it_does_not_believe_passes_no_roles()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = StartService(scene, isBelieved: true);
        var behind = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var second = StartGateway(scene, behind, options => Identify(options, isBelieved: false));
        var between = scene.CreateChannel(second, options => options.Credentials = new SharedKeyCredentials(s_gateway)); // a manager
        var first = StartGateway(scene, between, Identify);
        await OfficeOf(scene, first, s_clerk).Cancel([1], Ct).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        await OfficeOf(scene, second, s_manager).Cancel([1], Ct); // its own clients keep theirs
    }

    /// <summary>Rules may take everybody but those with a role, which a user without its roles would pass for.</summary>
    [Theory(Timeout = TestLimit)]
    [InlineData(5_000, "4096 bytes")] // of a claim that the route passes on
    [InlineData(300, "256 bytes")] // of the name
    public async Task A_user_of_which_a_gateway_cannot_pass_on_all_may_call_nothing_through_it(int length, string limit)
    {
        var scene = Begin(TransportKind.InMemory);
        var service = StartService(scene, isBelieved: true, static user => !user.IsInRole("manager"));
        var behind = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute(Pattern, behind) { Claims = "secret" }), IdentifyByToken);
        var office = scene.CreateChannel(gateway, options => options.Credentials = Token(new string('x', length))).CreateProxy<IOffice>();
        List<MuxException> failures = [await Assert.ThrowsAsync<MuxException>(() => office.Look([1]).AsTask()), .. await FailuresOf(office)];
        foreach (var failure in failures)
        {
            Assert.Equal((MuxStatus.PermissionDenied, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
            Assert.Contains(limit, failure.Message, StringComparison.Ordinal);
        }

        Assert.Equal(0, _office.Started);
        Assert.Contains(limit, Assert.Single(scene.Logs.Of("ClaimsNotPassed")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_whose_roles_a_gateway_does_not_know_meets_no_rule_about_them()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = StartService(scene, isBelieved: true, static user => !user.IsInRole("clerk"));
        var behind = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var second = StartGateway(scene, behind, options => Identify(options, isBelieved: false));
        var between = scene.CreateChannel(second, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        var first = StartGateway(scene, between, Identify);
        var clerk = OfficeOf(scene, first, s_clerk);
        await clerk.Move([1]).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("does not know the roles", scene.Logs.Of("AccessDenied")[0].Text, StringComparison.Ordinal);
        await clerk.Look([1]); // which asks for a user alone
    }

    /// <summary>The attack: a client with a credential of its own that speaks as a gateway, and names a caller with every right.</summary>
    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)] // of a gateway before the service, which believes no other one
    public async Task A_peer_that_is_no_allowed_gateway_can_never_claim_a_caller(bool isBehindGateway)
    {
        var (scene, gateway, service) = StartPair(isBelieved: true);
        var target = isBehindGateway ? gateway : service;
        MuxMetadata forged = [];
        forged.AddReserved("mux-caller", "mia"u8.ToArray());
        forged.AddReserved("mux-claims", CallerMarks.Write([(string.Empty, "manager"), ("tenant", "north")])!);

        // As a client, whose library sends what it is told to.
        var clerk = OfficeOf(scene, target, s_clerk);
        await clerk.Move([1], new MuxCallOptions { Metadata = forged }).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        // As a gateway of its own, which names the caller in well-formed frames: its one client is the manager, by its own word.
        var own = scene.CreateChannel(target, options => options.Credentials = new SharedKeyCredentials(s_clerk));
        var liar = StartGateway(scene, own, options =>
        {
            IdentifyByToken(options);
            options.Identity!.Policies.Clear();
        });
        var office = scene.CreateChannel(liar, options => options.Credentials = Token("north")).CreateProxy<IOffice>();
        foreach (var failure in await FailuresOf(office)) Assert.Equal((MuxStatus.PermissionDenied, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.Equal(0, _office.Started);

        // What needs no role is called in its own name, and in nobody else's.
        await office.Look([1]);
        Assert.Null(_office.Seen);
    }

    [Theory]
    [InlineData("")]
    [InlineData("01")] // a type without its bytes
    [InlineData("00 05 00 6D")] // a value without its bytes
    [InlineData("00 01 00 6D FF")] // bytes behind the last claim
    public void Claims_that_are_not_well_formed_give_no_rights(string hex)
    {
        var marks = default(CallerMarks);
        var value = Convert.FromHexString(hex.Replace(" ", string.Empty, StringComparison.Ordinal));
        marks.Take("mux-claims"u8, value);
        Assert.True(marks.Claims.IsEmpty);
        Assert.Equal(hex.Length == 0, marks.HasClaims);
        marks.Take("mux-claims"u8, CallerMarks.Write([(string.Empty, "clerk"), ("tenant", "north")])!);
        Assert.Equal([(string.Empty, "clerk"), ("tenant", "north")], CallerMarks.Read(marks.Claims));
    }

    private static SharedKey Key(string id, params string[] roles) => new(id, RandomNumberGenerator.GetBytes(32), roles);

    private static void Identify(MuxServerOptions options) => Identify(options, isBelieved: true);

    private static void Identify(MuxServerOptions options, bool isBelieved)
    {
        options.Identity = new MuxIdentityOptions { SharedKeys = { s_clerk, s_manager, s_gateway } };
        if (isBelieved) options.Identity.Gateways.Add("mux-gateway");
    }

    /// <summary>Knows each token as a user with the token as tenant, the role of a manager and a secret.</summary>
    private static void IdentifyByToken(MuxServerOptions options) => options.Identity = new MuxIdentityOptions
    {
        Authenticators =
        {
            new BearerAuthenticator(static (token, _) =>
            {
                var name = token.Length > 1000 ? "a user with a long token" : $"bearer of {token}";
                var identity = new ClaimsIdentity([new("name", name), new("role", "manager"), new("tenant", token), new("secret", token)], "test", "name", "role");
                return new(AuthenticationResult.Success(new PeerIdentity(new ClaimsPrincipal(identity), null)));
            }),
        },
    };

    private static BearerCredentials Token(string token) => new(_ => new(token));

    private static IOffice OfficeOf(Scene scene, MuxServer server, SharedKey key) =>
        scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(key)).CreateProxy<IOffice>();

    /// <summary>Calls all methods that need a manager, each twice and in two sizes.</summary>
    private static async Task<IReadOnlyList<MuxException>> FailuresOf(IOffice office)
    {
        List<MuxException> failures = [];
        for (int round = 0; round < 2; round++)
        {
            foreach (int length in new[] { 1, 40_000 })
            {
                failures.Add(await Assert.ThrowsAsync<MuxException>(() => office.Cancel(Bytes(length)).AsTask()));
                failures.Add(await Assert.ThrowsAsync<MuxException>(() => office.Move(Bytes(length)).AsTask()));
                failures.Add(await Assert.ThrowsAsync<MuxException>(() => office.Number(Bytes(length)).AsTask()));
            }

            failures.Add(await Assert.ThrowsAsync<MuxException>(() => WatchAsync(office, 1)));
        }

        return failures;
    }

    private static async Task<List<byte[]>> WatchAsync(IOffice office, byte item)
    {
        List<byte[]> items = [];
        await foreach (var echo in office.Watch([], Shop.Repeat([item], 1))) items.Add(echo);
        return items;
    }

    private MuxServer StartService(Scene scene, bool isBelieved, Func<ClaimsPrincipal, bool>? north = null) =>
        scene.StartServer(server => server.AddService<IOffice>(_office), options =>
        {
            Identify(options, isBelieved);
            options.Identity!.Policies["north"] = north ?? (static user => user.IsInRole("manager"));
        });

    /// <summary>Starts a service, and a gateway that is a manager there.</summary>
    private (Scene Scene, MuxServer Gateway, MuxServer Service) StartPair(
        bool isBelieved, Func<ClaimsPrincipal, bool>? north = null, TransportKind kind = TransportKind.InMemory, ManualTime? time = null)
    {
        var scene = Begin(kind, time);
        var service = StartService(scene, isBelieved, north);
        var channel = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(s_gateway));
        return (scene, StartGateway(scene, channel, Identify), service);
    }
}
