using System.Security.Claims;
using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A client that has to show who it is, and what it may call then.</summary>
public sealed class IdentityTests : EndToEndTests
{
    private static readonly SharedKey s_clerk = new("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");

    private static readonly SharedKey s_manager = new("manager-1", RandomNumberGenerator.GetBytes(64), "manager");

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_with_a_shared_key_is_known_by_its_id(TransportKind kind)
    {
        var scene = Begin(kind);
        var service = new Guarded();
        var sut = Connect(scene, StartServer(scene, service), new SharedKeyCredentials(s_clerk));
        Assert.Equal("clerk-1", await sut.WhoAmI());
        Assert.Equal("hello clerk-1", await sut.Greet());
        Assert.Equal(7, await sut.File(7));
        Assert.Single(scene.Logs.Of("PeerAuthenticated"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task What_the_identity_is_not_allowed_is_denied_and_does_not_run(TransportKind kind)
    {
        var scene = Begin(kind);
        var service = new Guarded();
        var server = StartServer(scene, service);
        var sut = Connect(scene, server, new SharedKeyCredentials(s_clerk));
        var failure = await AssertFails(MuxStatus.PermissionDenied, () => sut.Sign(1).AsTask());
        Assert.DoesNotContain("manager", failure.Message, StringComparison.Ordinal); // what is missing is for the server's people
        await AssertFails(MuxStatus.PermissionDenied, () => sut.Count(3, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken).AsTask());
        await AssertFails(MuxStatus.PermissionDenied, () => sut.Sum(Enumerable.Range(1, 1000).ToAsyncEnumerable()).AsTask());
        await sut.Note(1);
        Assert.Equal("clerk-1", await sut.WhoAmI());
        await Eventually.Holds(() => server.GetStatistics() is { CallsCompleted: 5 }, () => "the refusal of a one-way call");
        Assert.Equal(1, service.Ran.Count);
        var denied = scene.Logs.Of("AccessDenied")[0].Text;
        Assert.Contains("test.Guarded/Sign by clerk-1", denied, StringComparison.Ordinal);
        Assert.Contains("was rejected: the method requires the role manager and the policy adult; the caller has: clerk.", denied, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task What_the_identity_is_allowed_runs_also_with_streams_and_one_way(TransportKind kind)
    {
        var scene = Begin(kind);
        var service = new Guarded();
        var sut = Connect(scene, StartServer(scene, service), new SharedKeyCredentials(s_manager));
        Assert.Equal(1, await sut.Sign(1));
        Assert.Equal([1, 2, 3], await sut.Count(3, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal(6, await sut.Sum(Enumerable.Range(1, 3).ToAsyncEnumerable()));
        await sut.Note(1);
        await service.Ran.ReachAsync(4);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_whose_key_is_not_the_servers_gets_one_text_and_the_log_has_the_reason(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var service = new Guarded();
        var server = StartServer(scene, service);
        var texts = new HashSet<string>();
        foreach (var credentials in new MuxCredentials?[]
        {
            new SharedKeyCredentials(new SharedKey("clerk-1", RandomNumberGenerator.GetBytes(32))), // forged
            new SharedKeyCredentials(new SharedKey("clerk-2", s_clerk.Key)), // unknown
        })
        {
            var failure = await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, credentials).WhoAmI().AsTask());
            texts.Add(failure.Message);
        }

        Assert.Single(texts);
        Assert.Contains("AuthFailed", texts.Single(), StringComparison.Ordinal);
        Assert.Equal(0, service.Ran.Count);
        await AssertEndsSay(scene, "does not match the shared key 'clerk-1'", "There is no shared key 'clerk-2'");
        Assert.Contains("does not match the shared key 'clerk-1'", scene.Logs.Of("AuthenticationFailed")[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_without_a_credential_is_refused_and_told_where_to_set_one()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = StartServer(scene, new Guarded());
        var channel = scene.CreateChannel(server);
        var failure = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Equal(MuxStatus.Unauthenticated, failure.Status);
        Assert.Contains("set Credentials", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_allows_it_lets_in_nobody_in_particular_who_may_call_what_everybody_may()
    {
        var scene = Begin(TransportKind.Tcp);
        var server = StartServer(scene, new Guarded(), identity => identity.AllowAnonymous = true);
        var sut = scene.CreateChannel(server).CreateProxy<IGuarded>();
        Assert.Equal("hello nobody", await sut.Greet());
        await AssertFails(MuxStatus.Unauthenticated, () => sut.WhoAmI().AsTask());
        await AssertFails(MuxStatus.Unauthenticated, () => sut.Count(1, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken).AsTask());
        Assert.Equal("hello nobody", await sut.Greet());
        Assert.Equal("clerk-1", await Connect(scene, server, new SharedKeyCredentials(s_clerk)).WhoAmI());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Where_any_contract_has_rules_a_method_without_is_refused_to_everybody_and_the_start_says_so()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IGuarded>(new Guarded()).AddService<IDesk>(new Desk()), Configure());
        var channel = scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(s_manager));
        await AssertFails(MuxStatus.PermissionDenied, () => channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask());
        Assert.Contains("test.Desk/AskPlainly", Assert.Single(scene.Logs.Of("MethodsDenied")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Without_any_rules_whoever_is_authenticated_may_call_everything()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Identity = new MuxIdentityOptions { SharedKeys = { s_clerk } });
        var channel = scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(s_clerk));
        Assert.Equal(5, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 5 })).Id);
        await AssertFails(MuxStatus.Unauthenticated, () => scene.CreateChannel(server).CreateProxy<IDesk>().AskPlainly(new Question()).AsTask());
    }

    [Fact]
    public void A_server_whose_contracts_ask_for_what_it_does_not_have_does_not_start()
    {
        var withoutOptions = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0" }).AddService<IGuarded>(new Guarded());
        Assert.Contains("set Identity", Assert.Throws<InvalidOperationException>(withoutOptions.Start).Message, StringComparison.Ordinal);
        var withoutPolicy = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Identity = new MuxIdentityOptions { SharedKeys = { s_clerk }, Policies = { ["child"] = static _ => true } } })
            .AddService<IGuarded>(new Guarded());
        var text = Assert.Throws<InvalidOperationException>(withoutPolicy.Start).Message;
        Assert.Contains("test.Guarded/Sign requires the policy 'adult'", text, StringComparison.Ordinal);
        Assert.Contains("it has child", text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_policy_is_asked_once_for_each_identity_and_not_by_calls()
    {
        var scene = Begin(TransportKind.Tcp);
        int asked = 0;
        var server = StartServer(scene, new Guarded(), identity => identity.Policies["adult"] = _ => Interlocked.Increment(ref asked) > 0);
        var sut = Connect(scene, server, new SharedKeyCredentials(s_manager));
        for (int i = 0; i < 100; i++) await sut.Sign(i);
        Assert.InRange(asked, 1, 2); // two rules name it
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_policy_that_throws_is_not_met()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("PolicyFailed");
        var server = StartServer(scene, new Guarded(), identity => identity.Policies["adult"] = _ => throw new FormatException("no age"));
        var sut = Connect(scene, server, new SharedKeyCredentials(s_manager));
        await AssertFails(MuxStatus.PermissionDenied, () => sut.Sign(1).AsTask());
        Assert.Equal(1, await sut.File(1));
        Assert.NotEmpty(scene.Logs.Of("PolicyFailed"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_bearer_token_is_what_the_library_behind_it_says(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = StartServer(scene, new Guarded(), identity => identity.Authenticators.Add(new BearerAuthenticator(ValidateAsync)));
        Assert.Equal("anna", await Connect(scene, server, Bearer("token of anna")).WhoAmI());
        await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, Bearer("expired")).WhoAmI().AsTask());
        await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, Bearer("forged")).WhoAmI().AsTask());
        await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, Bearer("nameless")).WhoAmI().AsTask());
        await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, new RawCredentials([0xC3, 0x28])).WhoAmI().AsTask());
        await AssertEndsSay(scene, "has expired", "unknown token", "not authenticated", "not UTF-8");
        Assert.DoesNotContain(scene.Logs.Entries, entry => entry.Text.Contains("token of anna", StringComparison.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_token_that_is_too_long_is_not_sent()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = StartServer(scene, new Guarded(), identity => identity.Authenticators.Add(new BearerAuthenticator(ValidateAsync)));
        var failure = await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, Bearer(new string('a', 8_193))).WhoAmI().AsTask());
        Assert.Contains("8193", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_whose_scheme_the_server_does_not_take_says_which_it_takes()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = StartServer(scene, new Guarded());
        var failure = await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, Bearer("any")).WhoAmI().AsTask());
        Assert.Contains("accepts the schemes 'shared-key'", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_authenticator_that_throws_refuses_and_the_log_has_it()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        scene.ExpectedErrors.Add("AuthenticatorFailed");
        var server = StartServer(scene, new Guarded(), identity => identity.Authenticators.Add(new BearerAuthenticator(static (_, _) => throw new FormatException("bad"))));
        await AssertFails(MuxStatus.Unauthenticated, () => Connect(scene, server, Bearer("any")).WhoAmI().AsTask());
        await Eventually.Holds(() => scene.Logs.Of("AuthenticatorFailed").Count == 1, () => "the log");
        Assert.Equal("clerk-1", await Connect(scene, server, new SharedKeyCredentials(s_clerk)).WhoAmI());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Authenticators_that_never_end_are_bounded_in_time_and_number_and_harm_no_connection_that_is_open()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var stuck = new TaskCompletionSource<AuthenticationResult>();
        var running = new Counter("authenticators that run");
        var server = scene.StartServer(server => server.AddService<IGuarded>(new Guarded()), Configure(identity =>
        {
            identity.MaxConcurrentAuthentications = 2;
            identity.AuthenticationTimeout = TimeSpan.FromSeconds(1);
            identity.Authenticators.Add(new BearerAuthenticator((token, _) =>
            {
                if (token == "good") return ValidateAsync("token of anna", default);
                running.Add();
                return new(stuck.Task);
            }));
        }) + (static options => options.HandshakeTimeout = TimeSpan.FromMinutes(10)));
        var good = Connect(scene, server, Bearer("good"));
        Assert.Equal("anna", await good.WhoAmI());
        var others = Enumerable.Range(0, 5).Select(_ => ConnectPatiently(scene, server, Bearer("stuck")).WhoAmI().AsTask()).ToList();
        await running.ReachAsync(2);
        Assert.Equal("anna", await good.WhoAmI());

        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(50)); // far from the end of the handshake, however slow the machine
            return others.TrueForAll(call => call.IsCompleted);
        }, () => "the end of those that wait");

        foreach (var call in others) await AssertFails(MuxStatus.Unauthenticated, () => call);
        Assert.Equal(2, running.Count);
        Assert.Equal("anna", await good.WhoAmI());
        stuck.SetResult(AuthenticationResult.Fail("too late"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_renews_its_credential_in_time_and_no_call_fails()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        var configure = Configure(identity => identity.SharedKeyLifetime = TimeSpan.FromMinutes(10));
        configure += static options => options.KeepAliveTime = Timeout.InfiniteTimeSpan; // a clock that jumps leaves no time to answer a PING
        var server = scene.StartServer(server => server.AddService<IGuarded>(new Guarded()), configure);
        var sut = Connect(scene, server, new SharedKeyCredentials(s_clerk));
        Assert.Equal("clerk-1", await sut.WhoAmI());
        for (int round = 2; round <= 6; round++)
        {
            time.Advance(TimeSpan.FromMinutes(9.01)); // a minute is left, and stays: how long the renewal takes here does not matter
            await Eventually.Holds(() => scene.Logs.Of("PeerAuthenticated").Count == round, () => "the renewal");
            Assert.Equal("clerk-1", await sut.WhoAmI()); // its reply comes behind the acceptance
        }

        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_cannot_renew_its_credential_loses_the_connection_at_its_end_and_comes_back_with_another_one()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.Add(CloseReason.CredentialExpired);
        var server = StartServer(scene, new Guarded(), identity =>
            identity.Authenticators.Add(new BearerAuthenticator((token, _) => new(Known(token, time.GetUtcNow() + TimeSpan.FromMinutes(10))))));
        bool isClosed = false;
        var credentials = new BearerCredentials(_ => isClosed ? throw new IOException("The vault is closed.") : new("anna"));
        var sut = Connect(scene, server, credentials);
        Assert.Equal("anna", await sut.WhoAmI());
        isClosed = true;

        await AdvanceUntil(time, TimeSpan.FromSeconds(1), () => scene.Logs.Of("ServerConnectionClosed").Count == 1);

        isClosed = false;
        Assert.Equal("anna", await sut.WhoAmI());
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_connection_cannot_become_that_of_another_user_by_a_renewal()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = StartServer(scene, new Guarded(), identity =>
            identity.Authenticators.Add(new BearerAuthenticator((token, _) => new(Known(token, time.GetUtcNow() + TimeSpan.FromMinutes(10))))));
        var user = "anna";
        var sut = Connect(scene, server, new BearerCredentials(_ => new(user)));
        Assert.Equal("anna", await sut.WhoAmI());
        var anna = Assert.Single(server.Peers.OfUser("anna"));
        user = "bob";

        await AdvanceUntil(time, TimeSpan.FromSeconds(1), () => scene.Logs.Of("ServerConnectionClosed").Count == 1);

        Assert.Equal("anna", anna.User!.Identity!.Name); // whom a push to anna reaches, to the end
        Assert.Contains("renewed its credential as another user", scene.Logs.Of("AuthenticationFailed")[0].Text, StringComparison.Ordinal);
        await Eventually.Holds(() => server.Peers.OfUser("anna").Count == 0, "anna to be gone");
        var again = sut.WhoAmI().AsTask();
        await AdvanceUntil(time, TimeSpan.FromMilliseconds(100), () => again.IsCompleted); // the client pauses before it dials again
        Assert.Equal("bob", await again);
        Assert.Equal("bob", Assert.Single(server.Peers.OfUser("bob")).User!.Identity!.Name);
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_process_at_a_unix_socket_is_known_by_its_user()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "SO_PEERCRED is Linux's.");
        var scene = Begin(TransportKind.Unix);
        var server = StartServer(scene, new Guarded(), identity => identity.TrustTransport = true);
        var name = await scene.CreateChannel(server).CreateProxy<IGuarded>().WhoAmI();
        Assert.Matches("^uid [0-9]+$", name);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Who_the_transport_says_the_peer_is_is_not_enough_unless_the_options_say_so()
    {
        var scene = Begin(TransportKind.Unix);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var server = StartServer(scene, new Guarded());
        await AssertFails(MuxStatus.Unauthenticated, () => scene.CreateChannel(server).CreateProxy<IGuarded>().WhoAmI().AsTask());
    }

    private static async Task AdvanceUntil(ManualTime time, TimeSpan step, Func<bool> condition)
    {
        await Eventually.Holds(() =>
        {
            if (condition()) return true;
            time.Advance(step);
            return condition();
        }, () => "what time was to bring");
    }

    /// <summary>Waits until the server has logged the end of a connection for each of these reasons. A dial that fails before its call waits for it is repeated, so there may be more ends.</summary>
    private static Task AssertEndsSay(Scene scene, params string[] reasons) => Eventually.Holds(
        () => Array.TrueForAll(reasons, reason => scene.Logs.Of("ServerConnectionClosed").Any(entry => entry.Text.Contains(reason, StringComparison.Ordinal))),
        () => $"ends for {reasons.Length} reasons; there are: {string.Join(' ', scene.Logs.Of("ServerConnectionClosed").Select(entry => entry.Text))}");

    private static MuxServer StartServer(Scene scene, Guarded service, Action<MuxIdentityOptions>? configure = null) => scene.StartServer(server => server.AddService<IGuarded>(service), Configure(configure));

    private static Action<MuxServerOptions> Configure(Action<MuxIdentityOptions>? configure = null) => options =>
    {
        options.Identity = new MuxIdentityOptions { SharedKeys = { s_clerk, s_manager }, Policies = { ["adult"] = static user => user.IsInRole("manager") } };
        configure?.Invoke(options.Identity);
    };

    private static IGuarded Connect(Scene scene, MuxServer server, MuxCredentials? credentials) => scene.CreateChannel(server, options => options.Credentials = credentials).CreateProxy<IGuarded>();

    private static IGuarded ConnectPatiently(Scene scene, MuxServer server, MuxCredentials credentials) => scene.CreateChannel(server, options =>
    {
        options.Credentials = credentials;
        options.HandshakeTimeout = TimeSpan.FromMinutes(10);
    }).CreateProxy<IGuarded>();

    private static BearerCredentials Bearer(string token) => new(_ => new(token));

    private static ValueTask<AuthenticationResult> ValidateAsync(string token, CancellationToken cancellationToken) => new(token switch
    {
        "token of anna" => Known("anna", null),
        "expired" => Known("anna", DateTimeOffset.UnixEpoch),
        "nameless" => AuthenticationResult.Success(new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity()))),
        _ => AuthenticationResult.Fail("unknown token"),
    });

    private static AuthenticationResult Known(string name, DateTimeOffset? expiresAt) =>
        AuthenticationResult.Success(new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, name)], "bearer")), expiresAt));

    private static async Task<MuxException> AssertFails(MuxStatus status, Func<Task> call)
    {
        var failure = await Assert.ThrowsAsync<MuxException>(call);
        Assert.Equal((status, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        return failure;
    }

    /// <summary>Shows bytes as they are.</summary>
    private sealed class RawCredentials(byte[] token) : MuxCredentials
    {
        public override string Scheme => "bearer";

        public override ValueTask<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken cancellationToken) => new(token);
    }
}
