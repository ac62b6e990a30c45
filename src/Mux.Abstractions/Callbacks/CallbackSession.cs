using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Threading.Channels;
using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>The callbacks of one call at the side that serves it: what waits to be sent, and what waits for an answer. Safe for concurrent use.</summary>
internal sealed class CallbackSession : IDisposable
{
    private readonly Lock _gate = new();
    private readonly CallbackFailures _failures;
    private readonly CancellationTokenSource _handler; // the handler's own, because a bad answer ends it, too
    private readonly CancellationTokenSource _reading = new();
    private readonly CancellationTokenRegistration _cancelled;

    private readonly CallbackOutbox _messages;

    // Guarded by the lock.
    private readonly PendingCallbacks _pending;
    private int _waiting; // one-way callbacks that wait for room
    private bool _isClosed;
    private bool _isUnanswered; // the caller has ended its answers
    private MuxException? _violation;

    public CallbackSession(CallbackFailures failures, CancellationToken cancellationToken)
    {
        _failures = failures;
        _messages = new CallbackOutbox(_gate);
        _pending = new PendingCallbacks(_gate);
        _handler = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Token = _handler.Token;
        _cancelled = Token.UnsafeRegister(static session => ((CallbackSession)session!).OnCancelled(), this);
    }

    /// <summary>The token of the handler.</summary>
    public CancellationToken Token { get; }

    /// <summary>Waits until there are messages to send.</summary>
    /// <returns>False if there will be none, because the handler has ended; the result follows.</returns>
    public ValueTask<bool> WaitForMessagesAsync() => _messages.WaitAsync();

    /// <summary>Takes the next message to send.</summary>
    public bool TryTakeMessage([NotNullWhen(true)] out CallbackMessage? message)
    {
        if (!_messages.TryTake(out message)) return false;
        if (message is { Id: > 0, IsCancel: false })
        {
            lock (_gate) _pending.OnSentLocked(message.Id);
        }

        return true;
    }

    public void ThrowIfViolated()
    {
        if (Volatile.Read(ref _violation) is { } violation) throw violation;
    }

    /// <summary>Makes a callback that is answered. It never waits for a place.</summary>
    public Task<TResponse> CallAsync<TRequest, TResponse>(
        CallbackCaller caller, uint parameter, CallbackMethod<TRequest, TResponse> method, TRequest request, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return Task.FromCanceled<TResponse>(cancellationToken);
        var name = $"{caller.Name}.{method.Name}";
        try
        {
            var body = Encode(method, name, request);
            PendingCallback<TResponse> pending;
            lock (_gate)
            {
                ThrowIfEndedLocked(name);
                pending = _pending.TryAddLocked(method.Responses, name) ?? throw _failures.TooMany(name, "have no answer");
                _messages.PostLocked(new CallbackMessage { Id = pending.Id, Parameter = parameter, Method = method.Name, Body = body });
            }

            if (cancellationToken.CanBeCanceled) pending.CancelWith(this, cancellationToken);
            return pending.Task;
        }
        catch (Exception error)
        {
            return Task.FromException<TResponse>(error);
        }
    }

    /// <summary>Makes a callback that is not answered. It waits until there is room for its message.</summary>
    public async ValueTask SendAsync<TRequest>(
        CallbackCaller caller, uint parameter, CallbackMethod<TRequest, MuxUnit> method, TRequest request, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var name = $"{caller.Name}.{method.Name}";
        var body = Encode(method, name, request);
        ValueTask writing;
        lock (_gate)
        {
            ThrowIfEndedLocked(name);
            if (_waiting == CallbackLimits.MaxUnanswered) throw _failures.TooMany(name, "wait to be sent, because the caller does not read");
            writing = _messages.WriteLocked(new CallbackMessage { Parameter = parameter, Method = method.Name, Body = body }, cancellationToken);
            if (writing.IsCompletedSuccessfully) return;
            _waiting++;
        }

        try
        {
            await writing.ConfigureAwait(false);
        }
        catch (ChannelClosedException)
        {
            Token.ThrowIfCancellationRequested();
            throw _failures.EndedBefore(name);
        }
        finally
        {
            lock (_gate) _waiting--;
        }
    }

    /// <summary>Ends the wait for an answer, and tells the caller. The place stays taken until the answer comes.</summary>
    public void Cancel(PendingCallback pending, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!_pending.ContainsLocked(pending) || _isClosed) return;
            if (!Token.IsCancellationRequested) _messages.PostLocked(new CallbackMessage { Id = pending.Id, IsCancel = true }); // at most one for each place
        }

        pending.Fail(new OperationCanceledException(cancellationToken));
    }

    /// <summary>Reads the answers until the call has ended. Never fails: a bad answer ends the handler and fails the call.</summary>
    public async Task ReadAsync(IAsyncEnumerable<CallbackAnswer> answers)
    {
        try
        {
            await foreach (var answer in answers.WithCancellation(_reading.Token).ConfigureAwait(false)) Answer(answer);
            lock (_gate) _isUnanswered = true;
            FailPending();
        }
        catch (OperationCanceledException) when (_reading.IsCancellationRequested || Token.IsCancellationRequested)
        {
        }
        catch (MuxException error) when (error.Endpoint is null && !Token.IsCancellationRequested)
        {
            Violate(error);
        }
        catch (Exception)
        {
            await _handler.CancelAsync().ConfigureAwait(false); // the stream has failed with the call
        }
    }

    /// <summary>The handler has ended: no callback is made any more.</summary>
    public void Close()
    {
        lock (_gate) _isClosed = true;
        _messages.Complete();
        FailPending();
    }

    /// <summary>Ends the session, and the handler if it still runs.</summary>
    public async ValueTask EndAsync(bool cancelsHandler)
    {
        if (cancelsHandler) await _handler.CancelAsync().ConfigureAwait(false);
        await _reading.CancelAsync().ConfigureAwait(false);
    }

    public void Dispose()
    {
        _cancelled.Dispose();
        _handler.Dispose();
        _reading.Dispose();
    }

    private void Answer(CallbackAnswer answer)
    {
        PendingCallback? pending;
        lock (_gate) pending = _pending.TakeLocked(answer.Id);
        if (pending is null) throw new MuxException(MuxStatus.InvalidArgument, $"The answer to callback {answer.Id} belongs to no callback that is open.");
        if (pending.Answer(answer, _failures) is not { } undecodable) return;

        // First: what the handler then throws is not the cause.
        var status = OutOfMemory.StatusOr(undecodable.InnerException, MuxStatus.InvalidArgument);
        Violate(new MuxException(status, $"The answer to callback {answer.Id} could not be decoded."));
        pending.Fail(undecodable);
    }

    // Code that waits for room or an answer waits in vain.
    private void OnCancelled()
    {
        _messages.Complete();
        FailPending();
    }

    private void Violate(MuxException error)
    {
        lock (_gate) _violation ??= error;
        _ = _handler.CancelAsync(); // what the handler has registered runs elsewhere
    }

    private void FailPending()
    {
        PendingCallback[] all;
        lock (_gate) all = _pending.AllLocked();
        foreach (var pending in all)
        {
            pending.Fail(Token.IsCancellationRequested ? new OperationCanceledException(Token)
                : _isUnanswered ? _failures.NotAnswered(pending.Method) : _failures.EndedBefore(pending.Method));
        }
    }

    private void ThrowIfEndedLocked(string method)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_isClosed) throw _failures.Ended(method);
        Token.ThrowIfCancellationRequested();
        if (_isUnanswered) throw _failures.NotAnswered(method);
    }

    private ReadOnlyMemory<byte> Encode<TRequest, TResponse>(CallbackMethod<TRequest, TResponse> method, string name, TRequest request)
    {
        try
        {
            return EncodedMessage.Of(method.Requests, request);
        }
        catch (Exception error)
        {
            throw _failures.Unencodable(name, error);
        }
    }
}
