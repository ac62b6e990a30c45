using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Mux.Client;
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

    [Fact]
    public void Null_in_place_of_a_source_is_a_failure_of_the_options()
    {
        _services.AddKeyedMuxClient("stock", "mux+consul://stock").AddSource(["mux+consul"], (_, _) => null!);
        var options = _services.BuildServiceProvider().GetRequiredService<IOptionsMonitor<MuxChannelOptions>>();
        Assert.Equal(["Mux:Clients:stock:Address: the function of AddSource for the scheme 'mux+consul' returned null: expected a source, or a FormatException that says why not."],
            Assert.Throws<OptionsValidationException>(() => options.Get("stock")).Failures);
    }

    [Fact]
    public void Null_in_place_of_a_scheme_is_rejected_where_it_is_added()
    {
        var client = _services.AddMuxClient("mux://orders");
        Assert.StartsWith("A scheme is null: expected one such as mux+consul.",
            Assert.Throws<ArgumentException>(() => client.AddSource(["mux+consul", null!], (_, _) => new NamedSource(""))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_schemes_that_every_channel_knows_are_rejected_where_they_are_added()
    {
        Assert.False(EndpointTarget.TryParse("x://y", out _, out var error));
        var known = error.Split("expected ")[1].Split(';')[0].Split([", ", " or "], StringSplitOptions.None);
        Assert.Equal(8, known.Length);
        var client = _services.AddMuxClient("mux://orders");
        Assert.All(known, scheme => Assert.StartsWith($"The scheme '{scheme}' is one of every channel: expected another one, such as mux+consul.",
            Assert.Throws<ArgumentException>(() => client.AddSource(["mux+consul", scheme], (_, _) => new NamedSource(""))).Message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData("stock", false)]
    [InlineData("stock", true)]
    public void A_function_that_asks_for_the_channel_of_its_client_is_told_so(string? name, bool isOptionsFirst)
    {
        Func<MuxChannelOptions, IServiceProvider, IEndpointSource> create = (options, provider) => new NamedSource(Channel(provider, name).ToString()!);
        (name is null ? _services.AddMuxClient("mux+consul://a") : _services.AddKeyedMuxClient(name, "mux+consul://a")).AddSource(["mux+consul"], create);
        using var provider = _services.BuildServiceProvider();
        var error = Assert.Throws<OptionsValidationException>(() =>
            isOptionsFirst ? provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name) : (object)Channel(provider, name));
        Assert.Equal([$"Mux:Clients:{name ?? "Default"}: the function of AddSource asks for the channel, or a proxy, of the client whose source it creates: it must not."], error.Failures);
    }

    [Fact]
    public async Task A_function_may_ask_for_the_channel_of_another_client()
    {
        _services.AddKeyedMuxClient("registry", "mux://registry");
        _services.AddMuxClient("mux+consul://a").AddSource(["mux+consul"], (_, provider) => new NamedSource(Channel(provider, "registry").GetType().Name));
        await using var provider = _services.BuildServiceProvider();
        Assert.NotNull(Channel(provider, null));
        Assert.Equal(nameof(MuxChannel), provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().CurrentValue.Endpoints?.Name);
    }

    private static MuxChannel Channel(IServiceProvider provider, string? name) =>
        name is null ? provider.GetRequiredService<MuxChannel>() : provider.GetRequiredKeyedService<MuxChannel>(name);

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
