using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Mux.Snippets.Tests;

/// <summary>The pages' code for other people's packages does what the pages say.</summary>
public sealed class SnippetTests
{
    [Fact]
    public void Telemetry_has_a_provider_of_meters_and_one_of_spans()
    {
        var services = new ServiceCollection();
        services.AddTelemetry();
        using var provider = services.BuildServiceProvider();

        Assert.NotNull(provider.GetService<MeterProvider>());
        Assert.NotNull(provider.GetService<TracerProvider>());
    }

    [Theory]
    [InlineData(MuxExecution.NotExecuted, 1, 2)]
    [InlineData(MuxExecution.NotExecuted, Timeout.Infinite, 1)]
    [InlineData(MuxExecution.MayHaveExecuted, 1, 1)]
    public async Task A_call_is_repeated_only_if_no_server_has_started_it_and_the_server_allows_it(MuxExecution execution, int retryAfter, int calls)
    {
        int made = 0;
        var failure = new MuxException(MuxStatus.Unavailable, execution, MuxCallPhase.Connect, "mux://stock:7070", "no server") { RetryAfter = TimeSpan.FromMilliseconds(retryAfter) };

        var outcome = await Record.ExceptionAsync(async () =>
            await Resilience.UnlessStarted.ExecuteAsync(
                _ => ++made == 1 ? throw failure : ValueTask.CompletedTask, TestContext.Current.CancellationToken));

        Assert.Equal(calls, made);
        Assert.Same(calls == 1 ? failure : null, outcome);
    }

    [Fact]
    public void A_server_with_tokens_has_their_authenticator()
    {
        var services = new ServiceCollection();
        services.AddServerWithTokens();
        using var provider = services.BuildServiceProvider();

        var options = provider.GetRequiredService<Microsoft.Extensions.Options.IOptions<MuxServerOptions>>().Value;

        Assert.Single(options.Identity!.Authenticators);
    }
}
