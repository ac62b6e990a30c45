using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Configuration;

namespace Mux.Hosting;

/// <summary>
/// Creates the channels that keep connected, and opens the connections of clients before the host reports that it has started. It comes after the start of
/// all services, so that a client may connect to the server of its own host.
/// </summary>
internal sealed class ClientWarmUp(IServiceProvider provider, IOptionsMonitor<MuxChannelOptions> options, ILoggerFactory loggers) : IHostedLifecycleService
{
    /// <summary>Pause between two attempts. The channel itself pauses between dials; this is for a source that has no endpoints yet.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    /// <exception cref="InvalidOperationException">Services of clients cannot be created; the message names all of them.</exception>
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        var mistakes = new List<string>();
        foreach (var service in provider.GetServices<ClientServiceRegistration>())
        {
            if (service.FindMistake(provider) is { } mistake) mistakes.Add($"{service.Contract} cannot be served by the client '{service.Client}': {mistake}");
        }

        return mistakes.Count == 0 ? Task.CompletedTask : throw new InvalidOperationException(string.Join(Environment.NewLine, mistakes));
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        var names = provider.GetServices<ClientRegistration>().Select(client => client.Name).Distinct(StringComparer.Ordinal);
        return Task.WhenAll(names.Select(name => OpenAsync(name, cancellationToken)));
    }

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task OpenAsync(string name, CancellationToken cancellationToken)
    {
        var client = options.Get(name);
        if (client.WarmUpTime == TimeSpan.Zero && !client.KeepConnected) return;
        var channel = name.Length == 0 ? provider.GetRequiredService<MuxChannel>() : provider.GetRequiredKeyedService<MuxChannel>(name);
        if (client.WarmUpTime == TimeSpan.Zero) return; // it connects by itself, and the host does not wait for it
        var (isOpen, failure) = await TryOpenAsync(channel, client, cancellationToken).ConfigureAwait(false);
        if (isOpen) return;
        string reason = failure?.Message ?? WhyUnanswered(channel, client);
        if (client.RequireWarmUp)
        {
            throw new InvalidOperationException($"The client '{channel.Name}' was not connected within {client.WarmUpTime.TotalSeconds:0.###} s " +
                $"({nameof(client.WarmUpTime)}), and {nameof(client.RequireWarmUp)} is true: {reason}", failure);
        }

        HostLog.ClientNotConnected(loggers.CreateLogger("Mux.Client"), channel.Name, client.WarmUpTime.TotalSeconds, reason, failure);
    }

    /// <summary>Says for what an attempt waited that did not fail: it waits for the user's code, too.</summary>
    private static string WhyUnanswered(MuxChannel channel, MuxChannelOptions options) =>
        options.OnOpened is not null && channel.GetStatistics().OpenConnections > 0
            ? $"a connection is open, and {nameof(options.OnOpened)} has not ended on it."
            : "no server has answered.";

    private static async Task<(bool IsOpen, MuxException? Failure)> TryOpenAsync(
        MuxChannel channel, MuxChannelOptions options, CancellationToken cancellationToken)
    {
        MuxException? failure = null;
        using var limit = new CancellationTokenSource(options.WarmUpTime, options.TimeProvider);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        try
        {
            while (true)
            {
                try
                {
                    await channel.ConnectAsync(both.Token).ConfigureAwait(false);
                    return (true, null);
                }
                catch (MuxException error)
                {
                    failure = error;
                }

                if (failure.Status != MuxStatus.Unavailable) break; // a credential that was rejected stays so
                await Task.Delay(s_pause, options.TimeProvider, both.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The time is over.
        }

        return (false, failure);
    }
}
