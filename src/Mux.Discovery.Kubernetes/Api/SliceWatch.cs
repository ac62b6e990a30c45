using System.Buffers;
using System.Text.Json;
using Mux.Discovery.Kubernetes.Slices;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>One watch: a long answer of the API server, with an event on each line. Not safe for concurrent use.</summary>
internal sealed class SliceWatch(
    ApiServer server, HttpResponseMessage response, LineReader lines, string version, SilenceLimit limit, TimeProvider time) : IDisposable
{
    /// <summary>The longest time without a line. The API server sends a bookmark each minute; no promise, hence a list and not an error.</summary>
    public static readonly TimeSpan MaxSilence = TimeSpan.FromSeconds(90);

    private readonly long _openedAt = time.GetTimestamp();
    private readonly ReadPace _pace = new();
    private TimeSpan _pause; // before the next line

    /// <summary>Gets the version of the last event: where the next watch continues.</summary>
    public string Version { get; private set; } = version;

    /// <summary>Gets the reason why the slices must be listed again. Null if a next watch can continue.</summary>
    public string? Outdated { get; private set; }

    /// <summary>Notes that the API server no longer knows the version.</summary>
    public void MarkGone() => Outdated = $"the API server no longer knows the version {Version} (410 Gone)";

    /// <summary>Applies events to the table until one has changed it. False if the watch is over.</summary>
    /// <exception cref="IOException">The API server has ended the watch with an error.</exception>
    public async ValueTask<bool> ReadAsync(SliceTable table)
    {
        while (Outdated is null && await ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (Apply(line, table)) return true;
        }

        return false;
    }

    public void Dispose()
    {
        limit.Dispose();
        lines.Dispose();
        response.Dispose(); // closes the connection if the watch has not ended
    }

    private async ValueTask<ReadOnlySequence<byte>?> ReadLineAsync()
    {
        try
        {
            if (_pause > TimeSpan.Zero) await Task.Delay(_pause, time, limit.Token).ConfigureAwait(false);
            _pause = TimeSpan.Zero;
            var line = await lines.ReadAsync(limit.Token).ConfigureAwait(false);
            limit.Restart();
            if (line is { } read) _pause = _pace.OnRead(read.Length, time.GetElapsedTime(_openedAt));
            return line;
        }
        catch (OperationCanceledException) when (limit.IsOver)
        {
            Outdated = $"nothing arrived for {MaxSilence.TotalSeconds:F0} s";
        }
        catch (InvalidDataException error)
        {
            Outdated = error.Message;
        }
        catch (Exception error) when (error is IOException or HttpRequestException)
        {
            // The connection was lost. No event was: the next watch continues after the last one.
        }

        return null;
    }

    private bool Apply(in ReadOnlySequence<byte> line, SliceTable table)
    {
        if (line.FirstSpan.Trim(" \r\t"u8).IsEmpty && line.IsSingleSegment) return false;
        try
        {
            var reader = new Utf8JsonReader(line);
            var watched = JsonSerializer.Deserialize(ref reader, SliceJson.Default.WatchEvent);
            reader.Read(); // throws if the line goes on after the event
            return Apply(watched, table);
        }
        catch (Exception error) when (error is JsonException or InvalidDataException)
        {
            Outdated = $"an event cannot be read ({error.Message})";
            return false;
        }
    }

    private bool Apply(WatchEvent? watched, SliceTable table)
    {
        switch (watched?.Type)
        {
            case WatchEvent.Added or WatchEvent.Modified:
                table.Set(SliceOf(watched));
                return true;
            case WatchEvent.Deleted:
                table.Remove(SliceOf(watched));
                return true;
            case WatchEvent.Bookmark:
                SliceOf(watched);
                return false;
            case WatchEvent.Error:
                var status = watched.Object.Deserialize(SliceJson.Default.ApiStatus) ?? new ApiStatus(null, null, null);
                if (!status.IsGone) throw server.Refusal(status);
                MarkGone();
                return false;
            default:
                return false; // of a later version of Kubernetes
        }
    }

    /// <summary>Reads the slice of an event, and moves on to its version.</summary>
    private EndpointSlice SliceOf(WatchEvent watched)
    {
        var slice = watched.Object.ValueKind == JsonValueKind.Object ? watched.Object.Deserialize(SliceJson.Default.EndpointSlice) : null;
        Version = slice?.Metadata?.ResourceVersion ?? throw new InvalidDataException("an event without a version");
        return slice;
    }
}
