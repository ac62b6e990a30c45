namespace Mux.Callbacks;

/// <summary>A callback at the side of its object, from its message to its answer.</summary>
/// <param name="run">The call.</param>
/// <param name="method">The method to call.</param>
/// <param name="message">The message.</param>
internal sealed class RunningCallback(CallbackRun run, CallbackMethod method, CallbackMessage message)
{
    private readonly Lock _gate = new();

    // Guarded by the lock.
    private CancellationTokenSource? _cancellation;
    private bool _isCancelled;

    /// <summary>True if it has an answer, and so may be cancelled.</summary>
    public bool IsAnswered => message.Id != 0;

    /// <summary>Cancels the callback; if it has not begun, it never does.</summary>
    public void Cancel()
    {
        lock (_gate)
        {
            _isCancelled = true;
            _ = _cancellation?.CancelAsync(); // what the callback has registered runs elsewhere
        }
    }

    /// <summary>Runs the callback and answers it. Never fails.</summary>
    public async Task RunAsync(object target)
    {
        if (!TryBegin(out var token))
        {
            run.Answer(new CallbackAnswer { Id = message.Id, Status = MuxStatus.Cancelled, Text = "The callback was cancelled before it began." });
            return;
        }

        var answer = await AnswerAsync(target, token).ConfigureAwait(false);
        lock (_gate)
        {
            _cancellation?.Dispose();
            _cancellation = null;
        }

        run.Answer(answer);
    }

    private static string Cut(string text) => text.Length <= CallbackLimits.MaxText ? text : text[..CallbackLimits.MaxText];

    private bool TryBegin(out CancellationToken token)
    {
        lock (_gate)
        {
            token = run.Ended;
            if (_isCancelled || token.IsCancellationRequested) return false;
            if (!method.TakesToken || message.Id == 0) return true; // one that is not answered ends with the call alone
            _cancellation = CancellationTokenSource.CreateLinkedTokenSource(token);
            token = _cancellation.Token;
            return true;
        }
    }

    private async Task<CallbackAnswer> AnswerAsync(object target, CancellationToken token)
    {
        try
        {
            return new CallbackAnswer { Id = message.Id, Body = await method.RunAsync(target, message.Body, token).ConfigureAwait(false) };
        }
        catch (MuxException error) when (error.Endpoint is null) // one with an endpoint comes from another call, and does not concern the handler
        {
            if (error.InnerException is not null || message.Id == 0) run.OnFailed(message, error);
            return new CallbackAnswer { Id = message.Id, Status = error.Status, Text = Cut(error.Message) };
        }
        catch (OperationCanceledException) when (token.IsCancellationRequested)
        {
            return new CallbackAnswer { Id = message.Id, Status = MuxStatus.Cancelled, Text = "The callback was cancelled." };
        }
        catch (Exception error)
        {
            run.OnFailed(message, error);
            return new CallbackAnswer { Id = message.Id, Status = MuxStatus.Unknown, Text = "The callback threw an exception: see the log of the caller." };
        }
    }
}
