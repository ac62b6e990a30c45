using System.Buffers;
using System.Text.Json;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>An open watch. Used by one reader at a time.</summary>
internal sealed class EtcdWatch : IAsyncDisposable
{
    private readonly HttpResponseMessage _response;
    private readonly MessageLines _lines;

    private EtcdWatch(HttpResponseMessage response, Stream stream, TimeProvider time)
    {
        _response = response;
        _lines = new MessageLines(stream, time);
    }

    /// <summary>Takes over a response, and waits for the first message, with which etcd confirms the watch.</summary>
    public static async Task<EtcdWatch> OpenAsync(HttpResponseMessage response, TimeProvider time, CancellationToken cancellationToken)
    {
        EtcdWatch? watch = null;
        try
        {
            watch = new EtcdWatch(response, await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false), time);
            watch.First = await watch.NextAsync(cancellationToken).ConfigureAwait(false);
            return watch;
        }
        catch (Exception)
        {
            if (watch is null) response.Dispose();
            else await watch.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>The message that confirms the watch, or refuses it.</summary>
    public WatchResponse First { get; private set; } = new();

    /// <summary>Waits for the next message.</summary>
    /// <exception cref="EtcdException">The watch has ended; the message says why.</exception>
    public async ValueTask<WatchResponse> NextAsync(CancellationToken cancellationToken)
    {
        try
        {
            var line = await _lines.ReadAsync(Parse, cancellationToken).ConfigureAwait(false);
            if (line?.Error is { } error)
                throw new EtcdException($"The watch has failed: {EtcdFailure.TextOf(error) ?? "etcd does not say why"}.");
            var message = line?.Result ?? throw new EtcdException("The watch has failed: etcd sends a message without a result.");
            return message.Events.Contains(null!) ? throw new EtcdException("The watch has failed: etcd sends null in place of an event.") : message;
        }
        catch (Exception e) when (e is JsonException or HttpRequestException or IOException { } and not EtcdException)
        {
            throw new EtcdException($"The watch has failed: {EtcdFailure.Describe(e)}.", inner: e);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _lines.DisposeAsync().ConfigureAwait(false);
        _response.Dispose();
    }

    private static StreamLine<WatchResponse>? Parse(ReadOnlySequence<byte> line)
    {
        var reader = new Utf8JsonReader(line);
        return JsonSerializer.Deserialize(ref reader, EtcdJson.Default.WatchLine);
    }
}
