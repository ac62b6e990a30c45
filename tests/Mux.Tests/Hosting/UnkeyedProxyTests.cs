using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>Which proxy of a contract is injected without a key, if any.</summary>
public sealed class UnkeyedProxyTests : HostingTests
{
    [Fact]
    public async Task The_proxy_of_the_only_client_of_a_contract_is_injected_without_a_key()
    {
        await using var server = await StartServerAsync("mux://first:7070", answer: 1);
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("one", "mux://first:7070").AddProxy<IDesk>();
        builder.Services.AddKeyedMuxClient("one").AddProxy<IDesk>();
        builder.Services.AddKeyedMuxClient("two", "mux://second:7070").AddProxy<IForms>();
        builder.Services.AddMuxClient("mux://third:7070").AddProxy<IShape>();
        await using var host = await StartAsync(builder);
        Assert.Equal(1, await AskAsync(host.Services.GetRequiredService<IDesk>()));
        Assert.Same(host.Services.GetRequiredKeyedService<IDesk>("one"), host.Services.GetRequiredService<IDesk>());
        Assert.Same(host.Services.GetRequiredKeyedService<IForms>("two"), host.Services.GetRequiredService<IForms>());
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public async Task The_client_without_a_name_has_the_proxy_without_a_key(bool isAddedFirst, bool areSeveral)
    {
        var builder = NewHost();
        if (isAddedFirst) builder.Services.AddMuxClient("mux://third:7070").AddProxy<IDesk>();
        builder.Services.AddKeyedMuxClient("one", "mux://first:7070").AddProxy<IDesk>();
        if (areSeveral) builder.Services.AddKeyedMuxClient("two", "mux://second:7070").AddProxy<IDesk>();
        if (!isAddedFirst) builder.Services.AddMuxClient("mux://third:7070").AddProxy<IDesk>();
        await using var server = await StartServerAsync("mux://third:7070", answer: 3);
        await using var host = await StartAsync(builder);
        Assert.Equal(3, await AskAsync(host.Services.GetRequiredService<IDesk>()));
        Assert.Single(host.Services.GetServices<IDesk>());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_registration_of_the_application_is_injected_before_the_proxy_of_a_named_client(bool isAddedFirst)
    {
        var own = new Desk();
        var builder = NewHost();
        if (isAddedFirst) builder.Services.AddSingleton<IDesk>(own);
        builder.Services.AddKeyedMuxClient("one", Address).AddProxy<IDesk>();
        if (!isAddedFirst) builder.Services.AddSingleton<IDesk>(own);
        await using var host = await StartAsync(builder);
        Assert.Same(own, host.Services.GetRequiredService<IDesk>());
        Assert.NotSame(own, host.Services.GetRequiredKeyedService<IDesk>("one"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_contract_of_several_named_clients_names_them_when_it_is_asked_for_without_a_key(bool isPart)
    {
        var builder = NewHost();
        AddThree(builder.Services);
        builder.Services.AddSingleton<Asking>();
        await using var host = await StartAsync(builder);
        var error = Assert.Throws<InvalidOperationException>(
            () => isPart ? (object)host.Services.GetRequiredService<Asking>() : host.Services.GetRequiredService<IDesk>());
        Assert.Equal("Mux.Tests.Contracts.IDesk cannot be injected without a key: it was added to several clients (one, two, three), so it needs the name of one as its key, such as [FromKeyedServices(\"one\")] IDesk.", error.Message);
        Assert.NotSame(host.Services.GetRequiredKeyedService<IDesk>("one"), host.Services.GetRequiredKeyedService<IDesk>("two"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_registration_of_the_application_is_injected_before_the_proxies_of_several_clients(bool isAddedFirst)
    {
        var own = new Desk();
        var builder = NewHost();
        if (isAddedFirst) builder.Services.AddSingleton<IDesk>(own);
        AddThree(builder.Services);
        if (!isAddedFirst) builder.Services.AddSingleton<IDesk>(own);
        builder.Services.AddMuxServer(Address).AddService<IShape, Asking>();
        await using var host = await StartAsync(builder);
        Assert.Same(own, host.Services.GetRequiredService<IDesk>());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_service_that_needs_one_of_several_proxies_is_told_their_names_when_the_host_starts(bool isScoped)
    {
        var builder = NewHost();
        AddThree(builder.Services);
        var server = builder.Services.AddMuxServer(Address);
        _ = isScoped ? server.AddScopedService<IShape, Asking>() : server.AddService<IShape, Asking>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.EndsWith("needs Mux.Tests.Contracts.IDesk for 'desk', which is not registered (it was added to several clients (one, two, three), so it needs the name of one as its key, such as [FromKeyedServices(\"one\")] IDesk).", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Merged_service_collections_with_different_clients_are_told_their_names()
    {
        var builder = NewHost();
        foreach (string client in new[] { "one", "two" })
        {
            var part = new ServiceCollection();
            part.AddKeyedMuxClient(client, $"mux://{client}:7070").AddProxy<IDesk>();
            foreach (var descriptor in part) builder.Services.Add(descriptor);
        }

        using var host = builder.Build();
        var error = Assert.Throws<InvalidOperationException>(() => host.Services.GetRequiredService<IDesk>());
        Assert.Equal("Mux.Tests.Contracts.IDesk cannot be injected without a key: it was added to several clients (one, two), so it needs the name of one as its key, such as [FromKeyedServices(\"one\")] IDesk.", error.Message);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_later_of_the_proxy_of_the_client_without_a_name_and_an_own_registration_is_injected(bool isOwnLater)
    {
        var own = new Desk();
        var builder = NewHost();
        if (!isOwnLater) builder.Services.AddSingleton<IDesk>(own);
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>();
        if (isOwnLater) builder.Services.AddSingleton<IDesk>(own);
        await using var host = await StartAsync(builder);
        Assert.Equal(isOwnLater, ReferenceEquals(own, host.Services.GetRequiredService<IDesk>()));
    }

    private static async Task<int> AskAsync(IDesk desk) => (await desk.Ask(new Question(), TestContext.Current.CancellationToken)).Id;

    private static void AddThree(IServiceCollection services)
    {
        foreach (string client in new[] { "one", "two", "three" }) services.AddKeyedMuxClient(client, $"mux://{client}:7070").AddProxy<IDesk>();
    }

    private Task<RunningHost> StartServerAsync(string address, int answer)
    {
        var builder = NewHost();
        builder.Services.AddSingleton(new Desk { OnAsk = (_, _) => new(new Answer { Id = answer }) });
        builder.Services.AddMuxServer(address).AddService<IDesk, Desk>();
        return StartAsync(builder);
    }

    private sealed class Asking(IDesk desk) : IShape
    {
        public async ValueTask Answered(int number) => await desk.AskPlainly(new Question());

        public ValueTask Posted(int number) => default;
    }
}
