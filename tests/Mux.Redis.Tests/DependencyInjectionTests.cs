using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Mux.Backplanes;
using Mux.Tests.Contracts;

namespace Mux.Redis.Tests;

/// <summary>Redis in a host.</summary>
public sealed class DependencyInjectionTests
{
    [Fact]
    public async Task Shared_topics_take_the_backplane_of_the_host()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddMuxRedis("127.0.0.1:1").AddMuxTopics<string, SharedTick>(topics => topics.ShareAs<ITicks>());
        using var host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken); // does not wait for Redis
        var backplane = host.Services.GetRequiredService<MuxBackplane>();
        Assert.Equal("redis://127.0.0.1:1/mux", backplane.Name);
        Assert.Same(backplane, host.Services.GetRequiredService<MuxTopics<string, SharedTick>>().Backplane);
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Shared_topics_without_a_backplane_name_what_is_missing()
    {
        using var services = new ServiceCollection().AddMuxTopics<string, SharedTick>(topics => topics.ShareAs<ITicks>()).BuildServiceProvider();
        var error = Assert.Throws<ArgumentException>(() => services.GetRequiredService<MuxTopics<string, SharedTick>>());
        Assert.Contains("Backplane: missing, although ShareAs<ITicks>() shares the topics", error.Message, StringComparison.Ordinal);
        Assert.Contains("AddMuxRedis", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_come_from_the_configuration_and_code_overrides_them()
    {
        var options = Read(services => services.AddMuxRedis(configure: redis => redis.Prefix = "code"), ("Configuration", "cache:6380"), ("Prefix", "file"),
            ("RetainFor", "00:10:00"), ("timeout", "00:00:05"), ("MaxQueuedMessages", "100"), ("MaxQueuedBytes", "1000000"));
        Assert.Equal(("cache:6380", "code", TimeSpan.FromMinutes(10), TimeSpan.FromSeconds(5), 100, 1_000_000L), (options.Configuration, options.Prefix,
            options.RetainFor, options.Timeout, options.MaxQueuedMessages, options.MaxQueuedBytes));
    }

    [Fact]
    public void What_is_wrong_in_the_configuration_is_named_with_its_path()
    {
        var error = Assert.Throws<OptionsValidationException>(() => Read(services => services.AddMuxRedis(), ("Conection", "cache"), ("Timeout", "5"),
            ("MaxQueuedMessages", "many"), ("RetainFor", "00:00:00")));
        Assert.Contains("Mux:Redis:Conection: there is no such option; known options: Configuration, MaxQueuedBytes, MaxQueuedMessages", error.Message, StringComparison.Ordinal);
        Assert.Contains("Mux:Redis:Timeout: '5' is not a time such as 00:00:10", error.Message, StringComparison.Ordinal);
        Assert.Contains("Mux:Redis:MaxQueuedMessages: 'many' is not a whole number.", error.Message, StringComparison.Ordinal);
        Assert.Contains("Mux:Redis:RetainFor: '00:00:00' is not allowed: expected 00:00:01", error.Message, StringComparison.Ordinal);
    }

    private static MuxRedisOptions Read(Action<IServiceCollection> add, params (string Key, string Value)[] section)
    {
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(new ConfigurationBuilder()
            .AddInMemoryCollection(section.Select(one => KeyValuePair.Create($"Mux:Redis:{one.Key}", (string?)one.Value))).Build());
        add(services);
        using var provider = services.BuildServiceProvider();
        return provider.GetRequiredService<IOptions<MuxRedisOptions>>().Value;
    }
}
