using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Mux.Client;
using Mux.Configuration;
using Mux.Discovery;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Hosting;

/// <summary>Servers of a client that are listed in its configuration.</summary>
public sealed class ConfigurationEndpointsTests : HostingTests
{
    private const string List = "Mux:Clients:orders:Endpoints";

    [Fact]
    public async Task A_list_of_addresses_and_sections_is_the_source_of_a_client()
    {
        var builder = NewHost(($"{List}:0", "mux://a:7070"), ($"{List}:1:Address", "muxs://b"), ($"{List}:1:Zone", "eu-1a"), ($"{List}:1:Weight", "50"), ($"{List}:10", "mux://c"));
        builder.Services.AddKeyedMuxClient("orders");
        var source = Options(builder).Endpoints;
        Assert.Equal("the configuration Mux:Clients:orders:Endpoints", source?.Name);
        await using var sets = source!.WatchAsync(new EndpointRefresh(new ManualTime()), TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the first set"));
        var b = new MuxEndpoint(MuxAddress.Parse("muxs://b:7070")) { Zone = "eu-1a", Weight = 50 };
        Assert.Equal([Endpoint("mux://a:7070"), b, Endpoint("mux://c:7070")], sets.Current);
    }

    [Fact]
    public async Task A_reload_is_followed_and_at_most_once_a_second()
    {
        var (configuration, time) = (Configuration((List, null), ($"{List}:0", "mux://a")), new ManualTime());
        await using var sets = Watch(configuration, time).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.Equal("mux://a:7070", await NextAsync(sets));

        configuration[$"{List}:1"] = "mux://b";
        configuration.Reload();
        configuration[$"{List}:0"] = "mux://c";
        configuration.Reload();
        var next = NextAsync(sets);
        await Eventually.Holds(() => time.ArmedTimers == 1, "the pause of the source");
        Assert.False(next.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("mux://c:7070, mux://b:7070", await next);
    }

    [Fact]
    public async Task A_change_whose_signal_is_lost_is_seen_within_a_minute()
    {
        var (configuration, time) = (Configuration(($"{List}:0", "mux://a")), new ManualTime());
        await using var sets = Watch(configuration, time).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await NextAsync(sets);
        configuration[$"{List}:0"] = "mux://b"; // without a reload
        var next = NextAsync(sets);
        await Eventually.Holds(() => time.ArmedTimers == 1, "the pause of the source");
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal("mux://b:7070", await next);
    }

    [Fact]
    public async Task A_bad_list_fails_the_watch_with_all_that_is_wrong_in_it()
    {
        var (configuration, time) = (Configuration(($"{List}:0", "mux://a")), new ManualTime());
        await using var sets = Watch(configuration, time).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await NextAsync(sets);
        configuration[$"{List}:0"] = "a";
        configuration[$"{List}:1:Wight"] = "5";
        time.Advance(TimeSpan.FromSeconds(1));
        configuration.Reload();
        var error = await Assert.ThrowsAsync<FormatException>(() => NextAsync(sets));
        Assert.Contains($"{List}:0: 'a' is not an address: expected mux://host:port", error.Message, StringComparison.Ordinal);
        Assert.Contains($"{List}:1:Address: missing", error.Message, StringComparison.Ordinal);
        Assert.Contains($"{List}:1:Wight: there is no such option; did you mean Weight?", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "mux://a", ": 'mux://a' is not a list of addresses.")]
    [InlineData("", "", ": it is empty: expected at least one address such as mux://10.0.0.7:7070.")]
    [InlineData(":0", "a", ":0: 'a' is not an address")]
    [InlineData(":0", "mux://a:0", ":0: 'mux://a:0' has the port 0: expected a number from 1 to 65535.")]
    [InlineData(":0", "mux://a,b", ":0: 'mux://a,b' has no usable host")]
    [InlineData(":0:Address", "http://a", ":0:Address: 'http://a' has the unknown scheme 'http'")]
    [InlineData(":0:Zone", "eu-1a", ":0:Address: missing: expected an address such as mux://10.0.0.7:7070.")]
    public async Task A_bad_list_keeps_the_host_from_starting(string key, string value, string expected)
    {
        var builder = NewHost((List + key, value));
        builder.Services.AddKeyedMuxClient("orders");
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.StartsWith(List + expected, Assert.Single(error.Failures), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0", "'0' is not allowed: expected 1 to 10000.")]
    [InlineData("10001", "'10001' is not allowed: expected 1 to 10000.")]
    [InlineData("half", "'half' is not a whole number of at most 2147483647, in digits only.")]
    public async Task A_bad_weight_keeps_the_host_from_starting(string weight, string expected)
    {
        var builder = NewHost(($"{List}:0:Address", "mux://a"), ($"{List}:0:Weight", weight));
        builder.Services.AddKeyedMuxClient("orders");
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal($"{List}:0:Weight: {expected}", Assert.Single(error.Failures));
    }

    [Fact]
    public async Task An_address_that_is_in_the_list_twice_keeps_the_host_from_starting()
    {
        var builder = NewHost(($"{List}:0", "mux://a"), ($"{List}:1", "mux://a:7070"));
        builder.Services.AddKeyedMuxClient("orders");
        Assert.Equal($"{List}:1: mux://a:7070 is in the list twice.", (await FailsToStartAsync<OptionsValidationException>(builder)).Message);
    }

    [Fact]
    public async Task An_address_beside_the_list_keeps_the_host_from_starting()
    {
        var builder = NewHost(("Mux:Clients:orders:Address", "mux://a"), ($"{List}:0", "mux://a"));
        builder.Services.AddKeyedMuxClient("orders");
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal("Mux:Clients:orders:Address: it has no effect, because Endpoints lists the servers. Remove one of the two.", error.Message);
    }

    [Fact]
    public void Code_overrides_the_list()
    {
        var builder = NewHost(($"{List}:0", "mux://a"));
        builder.Services.AddKeyedMuxClient("orders", "mux://b");
        var options = Options(builder);
        Assert.Equal(("mux://b", null), (options.Address, options.Endpoints));

        var other = NewHost(($"{List}:0", "mux://a"));
        var source = new FixedEndpoints("test", [MuxAddress.Parse("mux://c")]);
        other.Services.AddKeyedMuxClient("orders", options => options.Endpoints = source);
        Assert.Same(source, Options(other).Endpoints);
    }

    [Fact]
    public async Task A_client_without_a_name_that_has_a_source_does_not_warn_of_its_default_address()
    {
        var builder = NewHost();
        builder.Services.AddMuxClient(options => options.Endpoints = new FixedEndpoints("test", [MuxAddress.Parse(Address)]));
        await using var host = await StartAsync(builder);
        Assert.Empty(Logs.Of("ClientAddressDefault"));
    }

    private static MuxChannelOptions Options(Microsoft.Extensions.Hosting.HostApplicationBuilder builder) =>
        builder.Services.BuildServiceProvider().GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get("orders");

    private static IConfigurationRoot Configuration(params (string Key, string? Value)[] entries) =>
        new ConfigurationBuilder().AddInMemoryCollection(entries.Select(entry => KeyValuePair.Create(entry.Key, entry.Value))).Build();

    private static IAsyncEnumerable<EndpointSet> Watch(IConfiguration configuration, ManualTime time) =>
        new ConfigurationEndpoints(configuration.GetSection(List)).WatchAsync(new EndpointRefresh(time), TestContext.Current.CancellationToken);

    private static MuxEndpoint Endpoint(string address) => new(MuxAddress.Parse(address));

    private static async Task<string> NextAsync(IAsyncEnumerator<EndpointSet> sets)
    {
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the next set"));
        return sets.Current.ToString();
    }
}
