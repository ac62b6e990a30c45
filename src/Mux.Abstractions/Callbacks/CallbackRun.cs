using System.Threading.Channels;

namespace Mux.Callbacks;

/// <summary>
/// The callbacks of one call at the side that made it: runs them, and is the stream of their answers. Messages come from one reader; the rest is safe for
/// concurrent use.
/// </summary>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "A source without a timer or wait handle holds nothing to dispose, and " +
    "a callback may still hold its token.")]
internal sealed class CallbackRun : IAsyncEnumerable<CallbackAnswer>
{
    private readonly CallbackContract[] _contracts;
    private readonly CallbackLane[] _lanes;
    private readonly Action<string, Exception> _onFailed;
    private readonly CancellationTokenSource _ended = new();

    // Never full: it holds at most the callbacks without an answer. The reader only encodes, so it may run on the thread of a callback.
    private readonly Channel<CallbackAnswer> _answers = Channel.CreateBounded<CallbackAnswer>(
        new BoundedChannelOptions(CallbackLimits.MaxUnanswered) { SingleReader = true, AllowSynchronousContinuations = true });

    // Guarded by itself.
    private readonly Dictionary<ulong, RunningCallback?> _open = []; // until the answer is taken to be sent; null if nothing runs for it
    private ulong _lastId; // of the reader of messages

    public CallbackRun(CallbackContract[] contracts, object[] objects, Action<string, Exception> onFailed)
    {
        _contracts = contracts;
        _onFailed = onFailed;
        _lanes = new CallbackLane[objects.Length];
        for (int i = 0; i < objects.Length; i++) _lanes[i] = new CallbackLane(objects[i], contracts[i].Concurrent);
    }

    /// <summary>Fires when the call ends before its result, and when its result has been taken.</summary>
    public CancellationToken Ended => _ended.Token;

    /// <summary>Takes a message other than the result.</summary>
    /// <returns>The rule that it breaks; null if it breaks none.</returns>
    public string? Take(CallbackMessage message)
    {
        if (message.IsCancel) return Cancel(message.Id);
        var (method, problem) = Find(message);
        var callback = method is null ? null : new RunningCallback(this, method, message);
        if (message.Id != 0)
        {
            if (message.Id <= _lastId) return $"the callback {message.Id} followed the callback {_lastId}, and ids must grow";
            _lastId = message.Id;
            lock (_open)
            {
                if (_open.Count == CallbackLimits.MaxUnanswered) return $"more than {CallbackLimits.MaxUnanswered} callbacks have no answer";
                _open.Add(message.Id, callback);
            }
        }

        if (callback is not null)
        {
            var lane = _lanes[message.Parameter];
            lane.Add(callback);
            if (lane.IsStuck) return $"more than {CallbackLimits.MaxBehind} callbacks wait behind one that has no answer";
        }
        else
        {
            Answer(new CallbackAnswer { Id = message.Id, Status = MuxStatus.Unimplemented, Text = problem });
        }

        return null;
    }

    /// <summary>Waits until few callbacks wait, or the call is over: then no more come than are here already.</summary>
    public async ValueTask WaitForRoomAsync()
    {
        foreach (var lane in _lanes) await lane.WaitForRoomAsync().ConfigureAwait(false);
    }

    /// <summary>Waits until all callbacks have returned.</summary>
    public async Task WaitForCallbacksAsync()
    {
        foreach (var lane in _lanes) await lane.WaitForEndAsync().ConfigureAwait(false);
    }

    /// <summary>Ends the call: callbacks that wait are dropped, and the tokens of those that run are cancelled.</summary>
    public void End()
    {
        foreach (var lane in _lanes) lane.End();
        _ = _ended.CancelAsync(); // what callbacks have registered runs elsewhere
    }

    /// <summary>Answers a callback; without an id there is nothing to answer.</summary>
    public void Answer(CallbackAnswer answer)
    {
        if (answer.Id != 0) _answers.Writer.TryWrite(answer);
    }

    /// <summary>Logs what a callback threw.</summary>
    public void OnFailed(CallbackMessage message, Exception error) => _onFailed($"{_contracts[message.Parameter].Name}.{message.Method}", error);

    /// <summary>The answers, until the call is over.</summary>
    public async IAsyncEnumerator<CallbackAnswer> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        await using var over = cancellationToken.UnsafeRegister(static run => ((CallbackRun)run!).OnOver(), this).ConfigureAwait(false);
        try
        {
            while (await _answers.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
            {
                while (_answers.Reader.TryRead(out var answer))
                {
                    lock (_open) _open.Remove(answer.Id); // before it is sent: the peer then has a place for the next
                    yield return answer;
                }
            }
        }
        finally
        {
            OnOver(); // the cancellation ends the wait above first, and with it the registration, which then is not called
        }
    }

    private (CallbackMethod? Method, string Problem) Find(CallbackMessage message)
    {
        if (message.Parameter >= _contracts.Length) return (null, $"The method has no callback parameter {message.Parameter}; it has {_contracts.Length}.");
        var contract = _contracts[message.Parameter];
        return (contract.Find(message.Method), $"The callback {contract.Name} has no method {message.Method} at the caller.");
    }

    private string? Cancel(ulong id)
    {
        if (id == 0 || id > _lastId) return $"the callback {id} was cancelled before it was made";
        RunningCallback? callback;
        lock (_open) _open.TryGetValue(id, out callback);
        callback?.Cancel();
        return null;
    }

    private void OnOver()
    {
        foreach (var lane in _lanes) lane.OnOver();
    }
}
