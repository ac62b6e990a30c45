using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Mux.Contracts;
using Mux.Description;
using Mux.Identity;
using Mux.Reflection;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports.Streams;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Hosting;
using Mux.Transports.Streams;

namespace Mux.Tests.Reflection;

/// <summary>What a server tells of its contracts, and whom.</summary>
public sealed class ReflectionTests : HostingTests
{
    private static readonly SharedKey s_clerk = new("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");

    private static readonly SharedKey s_manager = new("manager-1", RandomNumberGenerator.GetBytes(32), "manager");

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_without_identities_describes_everything_to_callers_on_its_machine(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = Connect(scene, scene.StartServer(static server => server.AddService<IDesk>(new Desk()).AddReflection()));
        Assert.Equal(["grpc.health.v1.Health", "mux.Reflection", "test.Desk"], await ListAsync(sut));
        var set = await DescribeAsync(sut);
        Assert.Equal(["grpc.health.v1.Health", "mux.Reflection", "test.Desk"], set.Services.Select(static service => service.Name));
        Assert.Equal(["Ask", "AskPlainly", "AskOnPool", "AskInline", "Tell"], set.FindService("test.Desk")!.Methods.Select(static method => method.Name));
        var watch = set.FindService("grpc.health.v1.Health")!.Methods[1];
        Assert.Equal(("Watch", "grpc.health.v1.HealthCheckRequest", true), (watch.Name, watch.Request.FullName, watch.IsResponseStream));
        Assert.Equal(3, set.FindEnum("grpc.health.v1.HealthCheckResponse.ServingStatus")!.Values.Single(static value => value.Key == "SERVICE_UNKNOWN").Value);
    }

    [Fact(Timeout = TestLimit)]
    public async Task One_service_is_described_with_its_messages_alone()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = Connect(scene, scene.StartServer(static server => server.AddService<IDesk>(new Desk()).AddReflection()));
        var set = await DescribeAsync(sut, "grpc.health.v1.Health");
        Assert.Single(set.Services);
        Assert.Equal(["grpc.health.v1.HealthCheckRequest", "grpc.health.v1.HealthCheckResponse"], set.Messages.Select(static message => message.FullName).Order(StringComparer.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_sees_neither_the_services_nor_the_methods_nor_the_messages_that_it_may_not_call()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = StartVault(scene);
        foreach (var credentials in new MuxCredentials?[] { new SharedKeyCredentials(s_clerk), null })
        {
            var sut = Connect(scene, server, credentials);
            Assert.Equal(["grpc.health.v1.Health", "mux.Reflection", "test.Vault"], await ListAsync(sut));
            var bytes = await sut.Describe([], cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal(["Look"], ContractSet.Read(bytes).FindService("test.Vault")!.Methods.Select(static method => method.Name));
            var text = Encoding.Latin1.GetString(bytes);
            Assert.Contains("Door", text, StringComparison.Ordinal);
            foreach (var hidden in new[] { "Cellar", "Fetch", "Bottle", "Open", "Count", "Combination", "Gold", "Bar", "Ledger", "Alarm", "manager" })
                Assert.DoesNotContain(hidden, text, StringComparison.Ordinal);
        }

        Assert.Empty(scene.Logs.Of("AccessDenied")); // nothing was called that may not be
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_with_all_rights_sees_all_of_it()
    {
        var scene = Begin(TransportKind.InMemory);
        var set = await DescribeAsync(Connect(scene, StartVault(scene), new SharedKeyCredentials(s_manager)));
        Assert.NotNull(set.FindService("test.Cellar"));
        var vault = set.FindService("test.Vault")!;
        Assert.Equal(["Look", "Open", "Count"], vault.Methods.Select(static method => method.Name));
        Assert.EndsWith("Alarm", vault.Methods[1].Details[3]!.FullName, StringComparison.Ordinal);
        Assert.EndsWith("Ledger", vault.Methods[2].Arguments!.FullName, StringComparison.Ordinal);
        Assert.Contains(set.Messages, static message => message.FullName.EndsWith("Bar", StringComparison.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_contract_is_described_with_the_authorization_that_the_server_asks_for()
    {
        var scene = Begin(TransportKind.InMemory);
        foreach (var policy in new[] { "operator", null })
        {
            var set = await DescribeAsync(Connect(scene, StartVault(scene, policy), new SharedKeyCredentials(s_manager)));
            Assert.All(set.FindService("mux.Reflection")!.Methods, method =>
            {
                Assert.Equal((policy is null, policy is not null), (method.Authorization!.AllowsAnonymous, method.Authorization.RequiresUser));
                Assert.Equal(policy is null ? [] : [policy], method.Authorization.Policies);
            });
            Assert.Equal(["manager"], set.FindService("test.Cellar")!.Methods[0].Authorization!.Roles); // which its contract declares
            Assert.True(set.FindService("grpc.health.v1.Health")!.Methods[1].Authorization!.AllowsAnonymous);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Callers_with_different_rights_do_not_displace_the_answers_of_each_other()
    {
        var counted = new CountedContract();
        ServiceContract<ICounted>.Register(counted);
        var scene = Begin(TransportKind.InMemory);
        var server = StartVault(scene, also: static server => Add<ICounted>(server, new Counted()));
        var (clerk, manager) = (Connect(scene, server, new SharedKeyCredentials(s_clerk)), Connect(scene, server, new SharedKeyCredentials(s_manager)));
        for (int i = 0; i < 3; i++)
        {
            Assert.Null((await DescribeAsync(clerk)).FindService("test.Cellar"));
            Assert.NotNull((await DescribeAsync(manager)).FindService("test.Cellar"));
            Assert.Single((await DescribeAsync(clerk, "test.Vault")).Services); // not kept, and takes the place of none
        }

        Assert.Equal(2, counted.Descriptions);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Asking_for_a_hidden_service_is_like_asking_for_one_that_is_not_there()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = Connect(scene, StartVault(scene), new SharedKeyCredentials(s_clerk));
        var texts = new HashSet<string>();
        foreach (var service in new[] { "test.Cellar", "test.Nothing" })
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => DescribeAsync(sut, service, "test.Vault"));
            Assert.Equal(MuxStatus.NotFound, failure.Status);
            texts.Add(failure.Message);
        }

        Assert.Single(texts);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Callers_must_meet_the_policy_if_there_is_one()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = StartVault(scene, policy: "operator");
        var denied = await Assert.ThrowsAsync<MuxException>(() => ListAsync(Connect(scene, server, new SharedKeyCredentials(s_clerk))));
        Assert.Equal(MuxStatus.PermissionDenied, denied.Status);
        Assert.Contains("test.Cellar", await ListAsync(Connect(scene, server, new SharedKeyCredentials(s_manager))));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_without_an_identity_on_another_machine_is_refused()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IDesk>(new Desk()).AddReflection());
        var channel = scene.CreateChannel(server, options => options.Transport = StreamTransport.Connecting((_, _) =>
        {
            var (dialer, acceptor) = StreamPair.Create(); // whose address is a name
            scene.DialsElsewhere++;
            scene.AcceptsElsewhere++;
            _ = server.ServeAsync(acceptor, CancellationToken.None);
            return new(dialer);
        }));
        var sut = channel.CreateProxy<IReflection>();
        Assert.Equal(MuxStatus.PermissionDenied, (await Assert.ThrowsAsync<MuxException>(() => ListAsync(sut))).Status);
        Assert.Equal(MuxStatus.PermissionDenied, (await Assert.ThrowsAsync<MuxException>(() => DescribeAsync(sut))).Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_through_a_gateway_on_the_machine_may_come_from_anywhere_and_is_refused()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IDesk>(new Desk()).AddReflection());
        var gateway = scene.StartServer(front => front.AddRoute(new MuxRoute("*", scene.CreateChannel(server))));
        Assert.Equal(MuxStatus.PermissionDenied, (await Assert.ThrowsAsync<MuxException>(() => ListAsync(Connect(scene, gateway)))).Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Through_a_gateway_that_is_believed_each_caller_sees_what_it_may_call()
    {
        var scene = Begin(TransportKind.InMemory);
        var gatewayKey = new SharedKey("gateway", RandomNumberGenerator.GetBytes(32));
        Action<MuxServerOptions> identify = options =>
            options.Identity = new MuxIdentityOptions { SharedKeys = { s_clerk, s_manager, gatewayKey }, Gateways = { "gateway" } };
        var server = scene.StartServer(static server => server.AddService<IVault>(new Vault()).AddReflection(), identify);
        var behind = scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(gatewayKey));
        var gateway = scene.StartServer(front => front.AddRoute(new MuxRoute("*", behind)), identify);
        foreach (var (key, methods) in new (SharedKey, string[])[] { (s_clerk, ["Look"]), (s_manager, ["Look", "Open", "Count"]) })
        {
            var sut = Connect(scene, gateway, new SharedKeyCredentials(key));
            Assert.Contains("test.Vault", await ListAsync(sut));
            Assert.Equal(methods, (await DescribeAsync(sut)).FindService("test.Vault")!.Methods.Select(static method => method.Name));
        }
    }

    [Theory]
    [InlineData("", true)]
    [InlineData("memory:7", true)]
    [InlineData("127.0.0.1:50312", true)]
    [InlineData("[::1]:50312", true)]
    [InlineData("[::ffff:127.0.0.1]:50312", true)]
    [InlineData("10.0.0.7:50312", false)]
    [InlineData("[fe80::1]:50312", false)]
    [InlineData("dialer", false)]
    public void An_address_tells_whether_a_peer_is_certainly_on_this_machine(string address, bool isLocal) =>
        Assert.Equal(isLocal, PeerHost.IsOfThisMachine(address));

    [Fact(Timeout = TestLimit)]
    public async Task A_contract_without_a_description_is_listed_and_left_out_unless_it_is_asked_for()
    {
        ServiceContract<IUndescribed>.Register(new UndescribedContract());
        var scene = Begin(TransportKind.InMemory);
        var sut = Connect(scene, scene.StartServer(static server => Add<IUndescribed>(server, new Undescribed()).AddReflection()));
        Assert.Contains("test.Undescribed", await ListAsync(sut));
        Assert.Equal(["grpc.health.v1.Health", "mux.Reflection"], (await DescribeAsync(sut)).Services.Select(static service => service.Name));
        var failure = await Assert.ThrowsAsync<MuxException>(() => DescribeAsync(sut, "test.Undescribed"));
        Assert.Equal(MuxStatus.FailedPrecondition, failure.Status);
        Assert.Contains("'test.Undescribed' is served without a description.", failure.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_without_reflection_does_not_have_the_service()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = Connect(scene, scene.StartServer(static server => server.AddService<IDesk>(new Desk())));
        Assert.Equal(MuxStatus.Unimplemented, (await Assert.ThrowsAsync<MuxException>(() => ListAsync(sut))).Status);
    }

    [Fact]
    public async Task The_server_of_a_host_has_it_by_one_line()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>().AddReflection();
        builder.Services.AddMuxClient(Address).AddProxy<IReflection>();
        await using var host = await StartAsync(builder);
        Assert.Contains("test.Desk", await ListAsync(host.Services.GetRequiredService<IReflection>()));
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>Adds a contract that no generator has made.</summary>
    private static MuxServer Add<TService>(MuxServer server, TService service)
        where TService : class => server.AddService(service);

    private static MuxServer StartVault(Scene scene, string? policy = null, Action<MuxServer>? also = null) => scene.StartServer(
        server =>
        {
            also?.Invoke(server);
            server.AddService<IVault>(new Vault()).AddService<ICellar>(new Vault()).AddReflection(policy);
        },
        static options => options.Identity = new MuxIdentityOptions
        {
            AllowAnonymous = true,
            SharedKeys = { s_clerk, s_manager },
            Policies = { ["operator"] = static user => user.IsInRole("manager") },
        });

    private static IReflection Connect(Scene scene, MuxServer server, MuxCredentials? credentials = null) =>
        scene.CreateChannel(server, options => options.Credentials = credentials).CreateProxy<IReflection>();

    private static async Task<string[]> ListAsync(IReflection sut) => await sut.List(cancellationToken: TestContext.Current.CancellationToken);

    private static async Task<ContractSet> DescribeAsync(IReflection sut, params string[] services) =>
        ContractSet.Read(await sut.Describe(services, cancellationToken: TestContext.Current.CancellationToken));
}
