using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.Hosting;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>What AddMuxServer and AddMuxClient put into a host.</summary>
public sealed class RegistrationTests : HostingTests
{
    [Fact]
    public async Task A_proxy_injected_in_a_host_calls_the_service_of_a_host()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>();
        await using var host = await StartAsync(builder);
        var sut = host.Services.GetRequiredService<IDesk>();
        Assert.Equal(7, (await sut.Ask(new Question { Id = 7 }, TestContext.Current.CancellationToken)).Id);
        Assert.Same(sut, host.Services.GetRequiredService<IDesk>());
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task Clients_of_one_contract_are_told_apart_by_name()
    {
        await using var first = await StartServerAsync("mux://first:7070", answer: 1);
        await using var second = await StartServerAsync("mux://second:7070", answer: 2);
        await using var third = await StartServerAsync("mux://third:7070", answer: 3);
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("one", "mux://first:7070").AddProxy<IDesk>();
        builder.Services.AddKeyedMuxClient("two", "mux://second:7070").AddProxy<IDesk>();
        builder.Services.AddMuxClient("mux://third:7070").AddProxy<IDesk>();
        await using var host = await StartAsync(builder);

        Assert.Equal(1, await AskAsync(host.Services.GetRequiredKeyedService<IDesk>("one")));
        Assert.Equal(2, await AskAsync(host.Services.GetRequiredKeyedService<IDesk>("two")));
        Assert.Equal(3, await AskAsync(host.Services.GetRequiredService<IDesk>()));
        Assert.Equal(("one", "mux://first:7070"), NameAndAddress(host.Services.GetRequiredKeyedService<MuxChannel>("one")));
        Assert.Equal(("two", "mux://second:7070"), NameAndAddress(host.Services.GetRequiredKeyedService<MuxChannel>("two")));
        Assert.Equal(("", "mux://third:7070"), NameAndAddress(host.Services.GetRequiredService<MuxChannel>()));
    }

    [Fact]
    public async Task Proxies_of_one_client_share_its_channel()
    {
        await using var server = await StartServerAsync(Address, answer: 1);
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("one", Address).AddProxy<IDesk>();
        builder.Services.AddKeyedMuxClient("one").AddProxy<IForms>();
        await using var host = await StartAsync(builder);
        await AskAsync(host.Services.GetRequiredKeyedService<IDesk>("one"));
        await Assert.ThrowsAsync<MuxException>(() => host.Services.GetRequiredKeyedService<IForms>("one").EmptyAsTask(TestContext.Current.CancellationToken)); // not served
        Assert.Equal(2, host.Services.GetRequiredKeyedService<MuxChannel>("one").GetStatistics().CallsStarted);
        Assert.Single(Transport.Connections);
    }

    [Fact]
    public async Task The_server_added_twice_is_one_server_with_the_services_of_both()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        builder.Services.AddMuxServer().AddService<IForms, Forms>();
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>().AddProxy<IForms>();
        await using var host = await StartAsync(builder);
        Assert.Equal(5, (await host.Services.GetRequiredService<IDesk>().AskPlainly(new Question { Id = 5 })).Id);
        Assert.Equal(6, await host.Services.GetRequiredService<IForms>().NumberAsTask(6, TestContext.Current.CancellationToken));
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<MuxServerService>());
    }

    [Fact]
    public void An_interface_that_is_no_contract_is_named_where_it_is_added()
    {
        var services = NewHost().Services;
#pragma warning disable MUX0051 // what happens where the warning is not heeded is tested
        AssertNames(() => services.AddMuxClient(Address).AddProxy<IDisposable>());
        AssertNames(() => services.AddMuxServer(Address).AddService<IDisposable, MemoryStream>());
        AssertNames(() => services.AddMuxServer(Address).AddScopedService<IDisposable, MemoryStream>());
#pragma warning restore MUX0051

        static void AssertNames(Action add) => Assert.Contains("System.IDisposable is not a Mux contract", Assert.Throws<InvalidOperationException>(add).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_in_the_place_of_a_contract_is_told_to_name_one()
    {
        using var server = new MuxServer(Address);
        var error = Assert.Throws<InvalidOperationException>(() => server.AddService(new Desk()));
        Assert.Equal("Mux.Tests.EndToEnd.Desk is not an interface: name the contract that is served, such as AddService<IDesk>(...).", error.Message);
    }

    [Fact]
    public void Two_contracts_of_one_wire_name_are_both_named_where_the_second_is_added()
    {
        var builder = NewHost().Services.AddMuxServer(Address).AddService<IShape, Shape>();
        AssertNamesBoth(Assert.Throws<InvalidOperationException>(() => builder.AddService<INewerShape, NewerShape>()));
        AssertNamesBoth(Assert.Throws<InvalidOperationException>(() => builder.AddScopedService<INewerShape, NewerShape>()));

        using var server = new MuxServer(Address);
        server.AddService<IShape>(new Shape());
        AssertNamesBoth(Assert.Throws<InvalidOperationException>(() => server.AddService<INewerShape>(new NewerShape())));
        AssertNamesBoth(Assert.Throws<InvalidOperationException>(() => server.AddService<INewerShape>(new NewerShape()))); // the failure left nothing behind

        static void AssertNamesBoth(Exception error)
        {
            Assert.Contains(typeof(IShape).FullName!, error.Message, StringComparison.Ordinal);
            Assert.Contains(typeof(INewerShape).FullName!, error.Message, StringComparison.Ordinal);
            Assert.Contains("'test.Shape'", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_client_needs_a_name_where_it_is_asked_for_one() => Assert.Throws<ArgumentException>(() => NewHost().Services.AddKeyedMuxClient("", Address));

    /// <summary>"orders" would else be the address of the client without a name.</summary>
    [Fact]
    public void A_name_in_the_place_of_an_address_is_refused_where_it_stands()
    {
        var services = NewHost().Services;
        AssertTold(() => services.AddMuxClient("orders", null));
        AssertTold(() => services.AddMuxClient("orders", configure: options => options.MinConnections = 2));
        AssertTold(() => services.AddMuxClient("orders"));
        AssertTold(() => services.AddKeyedMuxClient(Address, "orders"));
        Assert.Throws<ArgumentNullException>(() => services.AddKeyedMuxClient("orders", address: null!));

        static void AssertTold(Action add) => Assert.StartsWith(
            "'orders' is not an address: expected mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name or mux+ws://host:port/path. To name a client use AddKeyedMuxClient(name, address), or AddKeyedMuxClient(name)",
            Assert.Throws<ArgumentException>(add).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task A_scoped_implementation_is_not_served_by_one_instance(bool validateScopes, bool isRegisteredBefore)
    {
        var builder = NewHost();
        builder.ConfigureContainer(new DefaultServiceProviderFactory(new ServiceProviderOptions { ValidateScopes = validateScopes }));
        if (isRegisteredBefore) builder.Services.AddScoped<Desk>();
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        if (!isRegisteredBefore) builder.Services.AddScoped<Desk>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Equal("Mux.Tests.EndToEnd.Desk is registered as scoped, but AddService<IDesk, Desk>() uses one instance for all calls. Use AddScopedService<IDesk, Desk>().", error.Message);
    }

    [Fact]
    public async Task A_transient_implementation_is_served_by_one_instance()
    {
        var builder = NewHost();
        int instances = 0;
        builder.Services.AddTransient(_ =>
        {
            int instance = ++instances;
            return new Desk { OnAsk = (_, _) => new(new Answer { Id = instance }) };
        });
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>();
        await using var host = await StartAsync(builder);
        Assert.Equal(1, await AskAsync(host.Services.GetRequiredService<IDesk>()));
        Assert.Equal(1, await AskAsync(host.Services.GetRequiredService<IDesk>()));
    }

    [Fact]
    public void Two_addresses_of_the_client_without_a_name_are_both_named_where_the_second_is_added()
    {
        var services = NewHost().Services;
        services.AddKeyedMuxClient("named", "mux://another:1");
        services.AddMuxClient().AddProxy<IShape>();
        services.AddMuxClient("mux://first:1").AddProxy<IDesk>();
        services.AddMuxClient("mux://first:1").AddProxy<IForms>();
        var error = Assert.Throws<InvalidOperationException>(() => services.AddMuxClient("mux://second:2"));
        Assert.Equal("AddMuxClient was called twice without a name, for mux://first:1 and mux://second:2. Name the clients: AddKeyedMuxClient(\"name\", \"address\").", error.Message);
    }

    [Fact]
    public void Two_addresses_of_the_server_are_both_named_where_the_second_is_added()
    {
        var services = NewHost().Services;
        services.AddMuxServer("mux://first:1").AddService<IDesk, Desk>();
        services.AddMuxServer("mux://first:1").AddService<IForms, Forms>();
        var error = Assert.Throws<InvalidOperationException>(() => services.AddMuxServer("mux://second:2"));
        Assert.Equal("AddMuxServer was called twice, for mux://first:1 and mux://second:2. A host has one server: leave the address out of the second call.", error.Message);
    }

    private static (string Name, string Address) NameAndAddress(MuxChannel channel) => (channel.Name, channel.Address.ToString());

    private static async Task<int> AskAsync(IDesk desk) => (await desk.Ask(new Question(), TestContext.Current.CancellationToken)).Id;

    private Task<RunningHost> StartServerAsync(string address, int answer)
    {
        var builder = NewHost();
        builder.Services.AddSingleton(new Desk { OnAsk = (_, _) => new(new Answer { Id = answer }) });
        builder.Services.AddMuxServer(address).AddService<IDesk, Desk>();
        return StartAsync(builder);
    }

    private sealed class Shape : IShape
    {
        public ValueTask Answered(int number) => default;

        public ValueTask Posted(int number) => default;
    }

    private sealed class NewerShape : INewerShape
    {
        public ValueTask Answered(int number) => default;

        public ValueTask Posted(int number) => default;

        public ValueTask Added(int number) => default;
    }
}
