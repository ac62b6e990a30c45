using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Mux.DependencyInjection;
using Mux.Discovery;

namespace Mux.Tests.Hosting;

/// <summary>Sources of servers that applications and packages add for schemes of their own.</summary>
public sealed class AddSourceTests
{
    private readonly ServiceCollection _services = new();

    [Theory]
    [InlineData("mux+consul://orders", "mux+consul://orders")]
    [InlineData("muxs+consul://orders", "muxs+consul://orders")]
    [InlineData("mux+consuls://orders", null)]
    [InlineData("mux://orders", null)]
    public void A_client_has_the_source_if_its_address_has_the_scheme(string address, string? source)
    {
        Add(_services.AddMuxClient(address));
        var options = _services.BuildServiceProvider().GetRequiredService<IOptionsMonitor<MuxChannelOptions>>();
        if (address.StartsWith("mux+consuls", StringComparison.Ordinal)) Assert.Contains("unknown scheme 'mux+consuls'", Assert.Throws<OptionsValidationException>(() => options.CurrentValue).Message, StringComparison.Ordinal);
        else Assert.Equal(source, options.CurrentValue.Endpoints?.Name);
    }

    [Fact]
    public void A_source_in_the_options_stays_and_other_clients_have_none()
    {
        var own = new NamedSource("own");
        Add(_services.AddMuxClient("mux+consul://orders", options => options.Endpoints = own));
        Add(_services.AddKeyedMuxClient("stock", "mux+consul://stock"));
        _services.AddKeyedMuxClient("users", "mux://users");
        var options = _services.BuildServiceProvider().GetRequiredService<IOptionsMonitor<MuxChannelOptions>>();
        Assert.Same(own, options.CurrentValue.Endpoints);
        Assert.Equal("mux+consul://stock", options.Get("stock").Endpoints?.Name);
        Assert.Null(options.Get("users").Endpoints);
    }

    [Fact]
    public void The_source_gets_the_services_of_the_host()
    {
        _services.AddSingleton(new NamedSource("of the host"));
        _services.AddMuxClient("mux+consul://orders").AddSource(["mux+consul"], static (_, provider) => provider.GetRequiredService<NamedSource>());
        Assert.Equal("of the host", _services.BuildServiceProvider().GetRequiredService<IOptions<MuxChannelOptions>>().Value.Endpoints?.Name);
    }

    [Theory]
    [InlineData(true, "Mux:Clients:stock:Address: there is no stock")]
    [InlineData(false, "Mux:Clients:stock: there is no stock")]
    public void What_the_source_says_is_wrong_is_a_failure_of_the_options(bool isFormat, string expected)
    {
        _services.AddKeyedMuxClient("stock", "mux+consul://stock").AddSource(["mux+consul"],
            (_, _) => throw (isFormat ? new FormatException("there is no stock") : new ArgumentException("there is no stock")));
        var options = _services.BuildServiceProvider().GetRequiredService<IOptionsMonitor<MuxChannelOptions>>();
        Assert.Equal([expected], Assert.Throws<OptionsValidationException>(() => options.Get("stock")).Failures);
    }

    [Theory]
    [InlineData("There is no scheme: expected at least one")]
    [InlineData("The scheme 'mux+consul://' is not allowed", "mux+consul://")]
    [InlineData("The scheme '' is not allowed", "mux", "")]
    public void What_is_no_scheme_is_rejected_where_it_is_added(string expected, params string[] schemes)
    {
        var client = _services.AddMuxClient("mux://orders");
        Assert.StartsWith(expected, Assert.Throws<ArgumentException>(() => client.AddSource(schemes, (_, _) => new NamedSource(""))).Message, StringComparison.Ordinal);
    }

    private static void Add(IMuxClientBuilder client) => client.AddSource(["mux+consul", "muxs+consul"], static (options, _) => new NamedSource(options.Address));

    private sealed class NamedSource(string name) : IEndpointSource
    {
        public string Name => name;

        public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
            yield break;
        }
    }
}
