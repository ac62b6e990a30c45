using System.ComponentModel;
using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>A contract method that takes callbacks, as messages of a duplex method.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CallbackShape
{
    private protected CallbackShape()
    {
    }

    /// <inheritdoc cref="MessageCodec{T}.Prepare"/>
    internal abstract void Prepare();
}

/// <inheritdoc/>
/// <typeparam name="TRequest">The arguments other than the callbacks.</typeparam>
/// <typeparam name="TResult">The result, or <see cref="MuxUnit"/>.</typeparam>
/// <param name="name">Wire name of the method, with that of its service.</param>
/// <param name="results">Writes and reads the result.</param>
/// <param name="invoke">Calls the method on an implementation.</param>
/// <param name="callbacks">The interfaces of the callback parameters, in their order.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackShape<TRequest, TResult>(
    string name, MessageCodec<TResult> results, CallbackInvocation<TRequest, TResult> invoke, params CallbackContract[] callbacks) : CallbackShape
{
    /// <summary>Makes a call. The arguments are encoded before this returns.</summary>
    /// <param name="caller">Makes calls of the method.</param>
    /// <param name="request">The arguments other than the callbacks.</param>
    /// <param name="objects">The callbacks, in the order of their parameters. A null fails the call, not executed.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call, also while its callbacks run after its result has arrived.</param>
    /// <returns>A task that completes with the result, when all callbacks that came before it have returned; await it once. It fails like any other call;
    /// callbacks that run then have their token cancelled and are not awaited.</returns>
    public async ValueTask<TResult> CallAsync(
        StreamCaller<TRequest, CallbackAnswer, CallbackMessage> caller, TRequest request, object?[] objects, MuxCallOptions? options,
        CancellationToken cancellationToken)
    {
        var run = Array.IndexOf(objects, null) < 0 ? new CallbackRun(callbacks, objects!, caller.OnCallbackFailed) : null;
        var messages = caller.Call(request, run, options, cancellationToken).GetAsyncEnumerator(CancellationToken.None);
        await using var _ = messages.ConfigureAwait(false);
        if (run is null)
        {
            await messages.MoveNextAsync().ConfigureAwait(false);
            throw Violation(caller, "a callback is null");
        }

        try
        {
            CallbackMessage? result = null;
            while (await messages.MoveNextAsync().ConfigureAwait(false))
            {
                if (result is not null) throw Violation(caller, "a message followed the result");
                var message = messages.Current;
                if (message.IsResult) result = message;
                else if (run.Take(message) is { } problem) throw Violation(caller, problem);
                else await run.WaitForRoomAsync().ConfigureAwait(false);
            }

            if (result is null) throw Violation(caller, "it ended without a result");
            await run.WaitForCallbacksAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
            return Decode(caller, result);
        }
        finally
        {
            run.End();
        }
    }

    /// <summary>Serves a call: runs the implementation, and sends its callbacks and its result.</summary>
    /// <inheritdoc cref="ResponseStreamInvocation{TRequest, TItem, TResponse}"/>
    public async IAsyncEnumerable<CallbackMessage> Serve(
        object service, TRequest request, IAsyncEnumerable<CallbackAnswer> items, MuxCallOptions? options,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var session = new CallbackSession(new CallbackFailures(name, options?.Caller?.Address ?? "its caller"), cancellationToken);
        var reading = session.ReadAsync(items);
        var running = RunAsync(session, service, request, options);
        try
        {
            while (await session.WaitForMessagesAsync().ConfigureAwait(false))
            {
                while (session.TryTakeMessage(out var message)) yield return message;
            }

            yield return await running.ConfigureAwait(false);
        }
        finally
        {
            await session.EndAsync(cancelsHandler: !running.IsCompleted).ConfigureAwait(false);
            await ((Task)running).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await reading.ConfigureAwait(false);
        }
    }

    internal override void Prepare()
    {
        results.Prepare();
        foreach (var callback in callbacks) callback.Prepare();
    }

    private async Task<CallbackMessage> RunAsync(CallbackSession session, object service, TRequest request, MuxCallOptions? options)
    {
        try
        {
            var callers = new CallbackCaller[callbacks.Length];
            for (int i = 0; i < callers.Length; i++) callers[i] = new CallbackCaller(session, (uint)i, callbacks[i].Name);
            var result = await invoke(service, request, callers, options, session.Token).ConfigureAwait(false);
            session.ThrowIfViolated();
            return new CallbackMessage { IsResult = true, Body = EncodedMessage.Of(results, result) };
        }
        catch
        {
            session.ThrowIfViolated(); // the cause of what the handler threw
            throw;
        }
        finally
        {
            session.Close();
        }
    }

    private TResult Decode(StreamCaller<TRequest, CallbackAnswer, CallbackMessage> caller, CallbackMessage result)
    {
        try
        {
            return results.Decode(result.Body.Span);
        }
        catch (Exception error)
        {
            throw Violation(caller, $"its result could not be decoded: {error.Message.TrimEnd('.')}", error);
        }
    }

    private MuxException Violation(StreamCaller<TRequest, CallbackAnswer, CallbackMessage> caller, string what, Exception? error = null)
    {
        var status = OutOfMemory.StatusOr(error, MuxStatus.Internal);
        var text = $"{name} at {caller.Endpoint} failed ({status}, executed): {what}.";
        return new MuxException(status, MuxExecution.Executed, MuxCallPhase.Decode, caller.Endpoint, text, error) { Method = name };
    }
}
