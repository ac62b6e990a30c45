using System.Runtime.CompilerServices;
using System.Text;

namespace Streams;

/// <summary>Keeps entries in memory; one instance serves all calls, which run at the same time.</summary>
public sealed class LogStore : ILogs
{
    private readonly Lock _gate = new();
    private readonly List<LogEntry> _entries = [];
    private TaskCompletionSource _grown = NewSource();

    /// <summary>Called when somebody stops following, with how many entries were read for them.</summary>
    public Action<int>? Left { get; set; }

    public async ValueTask<int> Append(IAsyncEnumerable<LogEntry> entries, CancellationToken cancellationToken)
    {
        int count = 0;
        await foreach (var entry in entries.WithCancellation(cancellationToken))
        {
            Add(entry);
            count++;
        }

        return count;
    }

    // Without an end: the caller leaves when it has seen enough, and the token fires.
    public async IAsyncEnumerable<LogEntry> Follow(int from, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        int next = from;
        try
        {
            while (true)
            {
                if (Find(next, out var grown) is { } entry)
                {
                    next++;
                    yield return entry;
                }
                else
                {
                    await grown.WaitAsync(cancellationToken);
                }
            }
        }
        finally
        {
            Left?.Invoke(next - from);
        }
    }

    // An answer to each word, at the pace at which the words come.
    public async IAsyncEnumerable<int> Count(IAsyncEnumerable<string> words, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var word in words.WithCancellation(cancellationToken))
        {
            yield return Snapshot().Count(entry => entry.Text.Contains(word, StringComparison.Ordinal));
        }
    }

    // The stream is disposed when it has been sent, or when the caller goes away; with it goes the file.
    public async ValueTask<Stream> Export(CancellationToken cancellationToken)
    {
        var path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        var file = new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, 64 * 1024, FileOptions.Asynchronous | FileOptions.DeleteOnClose);
        foreach (var entry in Snapshot()) await file.WriteAsync(Encoding.UTF8.GetBytes($"{entry.Number} {entry.Text}\n"), cancellationToken);
        file.Position = 0;
        return file;
    }

    private static TaskCompletionSource NewSource() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Add(LogEntry entry)
    {
        TaskCompletionSource grown;
        lock (_gate)
        {
            _entries.Add(entry);
            (grown, _grown) = (_grown, NewSource());
        }

        grown.SetResult();
    }

    private LogEntry? Find(int index, out Task grown)
    {
        lock (_gate)
        {
            grown = _grown.Task;
            return index < _entries.Count ? _entries[index] : null;
        }
    }

    private LogEntry[] Snapshot()
    {
        lock (_gate) return [.. _entries];
    }
}
