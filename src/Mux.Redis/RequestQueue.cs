using System.Diagnostics.CodeAnalysis;

namespace Mux.Redis;

/// <summary>
/// Requests to Redis in order: those that wait, and those that were sent and have no answer. Messages are bounded in number and bytes until they are answered;
/// other requests are as many as there are subscriptions. Safe for concurrent use.
/// </summary>
internal sealed class RequestQueue(int mostMessages, long mostBytes) : IDisposable
{
    private readonly Lock _gate = new(); // guards what is below
    private readonly Queue<RedisRequest> _waiting = new();
    private readonly SemaphoreSlim _news = new(0);
    private int _messages;
    private long _bytes;
    private TaskCompletionSource? _empty;

    public int Messages => Volatile.Read(ref _messages);

    /// <summary>Adds a request, if there is room.</summary>
    public bool TryAdd(RedisRequest request)
    {
        lock (_gate)
        {
            if (request.IsMessage)
            {
                if (_messages >= mostMessages || _bytes + request.Bytes > mostBytes) return false;
                _messages++;
                _bytes += request.Bytes;
            }

            _waiting.Enqueue(request);
        }

        _news.Release();
        return true;
    }

    /// <summary>Waits until there may be requests.</summary>
    public Task WaitAsync(CancellationToken cancellationToken) => _news.WaitAsync(cancellationToken);

    public bool TryTake([NotNullWhen(true)] out RedisRequest? request)
    {
        lock (_gate) return _waiting.TryDequeue(out request);
    }

    /// <summary>A request has its answer, or gets none.</summary>
    public void OnDone(RedisRequest request)
    {
        if (!request.IsMessage) return;
        TaskCompletionSource? empty = null;
        lock (_gate)
        {
            _bytes -= request.Bytes;
            if (--_messages == 0) empty = _empty;
        }

        empty?.TrySetResult();
    }

    /// <summary>Completes when every message has its answer.</summary>
    public Task WhenEmpty()
    {
        lock (_gate)
        {
            if (_messages == 0) return Task.CompletedTask;
            _empty ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _empty.Task;
        }
    }

    public void Dispose() => _news.Dispose();
}
