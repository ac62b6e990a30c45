using Microsoft.Extensions.DependencyInjection;
using Mux.Filters;
using Mux.Tests.Contracts;

namespace Mux.Tests.Hosting;

/// <summary>Filters that a host creates.</summary>
public sealed class HostedFilterTests : HostingTests
{
    [Fact]
    public async Task Filters_of_server_service_and_method_run_in_this_order_with_parts_of_the_host()
    {
        var builder = NewHost();
        builder.Services.AddSingleton<Notes>();
        builder.Services.AddMuxServer(Address).AddService<IRelay, Relay>()
            .AddFilter<IRelay>(static host => new Noting(host.GetRequiredService<Notes>(), "method"), nameof(IRelay.Pass))
            .AddFilter<IRelay>(static host => new Noting(host.GetRequiredService<Notes>(), "service"))
            .AddFilter<NamedNoting>();
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>().AddFilter<IRelay, ClientNoting>();
        await using var host = await StartAsync(builder);
        await PassAsync(host);
        Assert.Equal(["client", "server", "service", "method"], host.Services.GetRequiredService<Notes>().Texts);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_scoped_filter_has_an_instance_for_each_call_in_the_scope_of_a_scoped_service(bool isScopedService)
    {
        var builder = NewHost();
        builder.Services.AddSingleton<Notes>().AddScoped<Part>().AddScoped<PartFilter>();
        var server = builder.Services.AddMuxServer(Address).AddFilter<PartFilter>();
        if (isScopedService) server.AddScopedService<IRelay, PartRelay>();
        else server.AddService<IRelay, Relay>();
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>();
        await using var host = await StartAsync(builder);
        await PassAsync(host);
        await PassAsync(host);
        var notes = host.Services.GetRequiredService<Notes>();
        Assert.Equal(2, notes.Objects.OfType<Part>().Distinct().Count());
        Assert.Equal(isScopedService ? 4 : 2, notes.Objects.Count); // the service notes its part, too
        Assert.Equal(2, notes.Disposed);
    }

    [Fact]
    public async Task A_scoped_filter_of_a_client_is_rejected()
    {
        var builder = NewHost();
        builder.Services.AddSingleton<Notes>().AddScoped<Part>().AddScoped<PartFilter>();
        builder.Services.AddMuxServer(Address).AddService<IRelay, Relay>();
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>().AddFilter<PartFilter>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Contains("PartFilter is registered as scoped, but the calls of a client belong to no scope", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_filter_that_misses_a_part_fails_the_start_of_the_host()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IRelay, Relay>().AddFilter<NamedNoting>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Contains("NamedNoting cannot be created", error.Message, StringComparison.Ordinal);
        Assert.Contains("Notes for 'notes', which is not registered", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_filter_of_a_method_that_is_not_there_fails_the_start_of_the_host()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IRelay, Relay>().AddFilter<IRelay>(static _ => new Noting(new(), "x"), "Pas");
        var error = await FailsToStartAsync<ArgumentException>(builder);
        Assert.Contains("no method 'Pas': expected Pass", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_filter_finds_the_services_of_the_host()
    {
        var builder = NewHost();
        builder.Services.AddSingleton<Notes>();
        builder.Services.AddMuxServer(Address).AddService<IRelay, Relay>().AddFilter(static _ => new LocatingFilter());
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>().AddFilter(static _ => new LocatingFilter());
        await using var host = await StartAsync(builder);
        await PassAsync(host);
        Assert.Equal(["Client", "Server"], host.Services.GetRequiredService<Notes>().Texts);
    }

    private static async Task PassAsync(RunningHost host) =>
        await host.Services.GetRequiredService<IRelay>().Pass(0, string.Empty, TestContext.Current.CancellationToken);

    private sealed class Notes
    {
        private readonly Lock _gate = new();

        public List<string> Texts { get; } = [];

        public List<object> Objects { get; } = [];

        public int Disposed { get; private set; }

        public void Add(string text)
        {
            lock (_gate) Texts.Add(text);
        }

        public void Add(object part)
        {
            lock (_gate) Objects.Add(part);
        }

        public void AddDisposed()
        {
            lock (_gate) Disposed++;
        }
    }

    private class Noting(Notes notes, string text) : MuxFilter
    {
        public override ValueTask RunAsync(MuxCall call, MuxNext next)
        {
            notes.Add(text);
            return next.RunAsync(call);
        }
    }

    private sealed class NamedNoting(Notes notes) : Noting(notes, "server");

    private sealed class ClientNoting(Notes notes) : Noting(notes, "client");

    private sealed class LocatingFilter : MuxFilter
    {
        public override ValueTask RunAsync(MuxCall call, MuxNext next)
        {
            call.Services!.GetRequiredService<Notes>().Add(call.Side.ToString());
            return next.RunAsync(call);
        }
    }

    private sealed class Part(Notes notes) : IDisposable
    {
        public void Dispose() => notes.AddDisposed();
    }

    private sealed class PartFilter(Notes notes, Part part) : MuxFilter
    {
        public override ValueTask RunAsync(MuxCall call, MuxNext next)
        {
            notes.Add((object)part);
            return next.RunAsync(call);
        }
    }

    private sealed class Relay : IRelay
    {
        public ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken) => new(path);
    }

    private sealed class PartRelay(Notes notes, Part part) : IRelay
    {
        public ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken)
        {
            notes.Add((object)part);
            return new(path);
        }
    }
}
