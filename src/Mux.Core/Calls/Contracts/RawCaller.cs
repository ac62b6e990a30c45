namespace Mux.Contracts;

/// <summary>
/// Calls one method by its name, with messages that are encoded already: for tools, bridges and gateways that know a contract by its description, not by its
/// interface. <see cref="MuxChannel.CreateRawCaller"/> creates it. Safe for concurrent use.
/// </summary>
/// <remarks>
/// Deadlines, cancellation, retries, filters and metrics are those of a proxy's calls. The detail of a failure is a <see cref="RawDetail"/>. A sent message is
/// copied before the call returns, or when its item is taken from the request stream.
/// </remarks>
public sealed class RawCaller
{
    private readonly MethodCaller<ReadOnlyMemory<byte>, byte[]>? _unary;
    private readonly StreamCaller<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>, byte[]>? _stream;

    internal RawCaller(CallInvoker invoker, ContractMethod method)
    {
        Method = method.Descriptor;
        if (method is UnaryMethod<ReadOnlyMemory<byte>, byte[]> unary) _unary = invoker.Bind(unary);
        else _stream = invoker.BindStream((StreamMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>, byte[]>)method);
    }

    /// <summary>Gets the method.</summary>
    public MethodDescriptor Method { get; }

    /// <summary>Calls a method without streams.</summary>
    /// <param name="request">The request.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The reply. No bytes when a one-way request is queued.</returns>
    /// <exception cref="InvalidOperationException">The method has a stream.</exception>
    /// <exception cref="MuxException">The call failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<byte[]> CallAsync(ReadOnlyMemory<byte> request, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        if (_unary is null) throw Misused("without streams");
        return (Method.Shape & MethodShape.OneWay) != 0
            ? SendAsync(_unary, request, options, cancellationToken)
            : _unary.CallAsync(request, options, cancellationToken);
    }

    /// <summary>Calls a method with a request stream and one reply.</summary>
    /// <param name="arguments">The message before the stream; empty if there is none.</param>
    /// <param name="items">The items, enumerated after the call has begun and no longer than it lasts.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The reply.</returns>
    /// <exception cref="InvalidOperationException">The method has no request stream, or has a response stream.</exception>
    /// <exception cref="MuxException">The call failed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<byte[]> CallAsync(
        ReadOnlyMemory<byte> arguments,
        IAsyncEnumerable<ReadOnlyMemory<byte>> items,
        MuxCallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        if (Method.Shape != MethodShape.RequestStream) throw Misused("with a request stream and one reply");
        return _stream!.CallAsync(arguments, items, options, cancellationToken);
    }

    /// <summary>Prepares a call with a response stream. Each enumeration makes a call; to leave it before its end cancels the call.</summary>
    /// <param name="request">The request; the message before the request stream, if there is one.</param>
    /// <param name="items">The request stream; null if the method has none.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call, as does the token of the enumeration.</param>
    /// <returns>The items. Throws <see cref="MuxException"/> if the call fails, <see cref="OperationCanceledException"/> if a token was cancelled.</returns>
    /// <exception cref="InvalidOperationException">The method has no response stream, or <paramref name="items"/> do not fit its request stream.</exception>
    public IAsyncEnumerable<byte[]> StreamAsync(
        ReadOnlyMemory<byte> request,
        IAsyncEnumerable<ReadOnlyMemory<byte>>? items = null,
        MuxCallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        var expected = items is null ? MethodShape.ResponseStream : MethodShape.Duplex;
        if (Method.Shape != expected) throw Misused(items is null ? "with a response stream alone" : "with two streams");
        return _stream!.Call(request, items, options, cancellationToken);
    }

    private static async ValueTask<byte[]> SendAsync(
        MethodCaller<ReadOnlyMemory<byte>, byte[]> caller, ReadOnlyMemory<byte> request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        await caller.CallWithoutResultAsync(request, options, cancellationToken).ConfigureAwait(false);
        return [];
    }

    private InvalidOperationException Misused(string form) => new($"'{Method}' has the shape {Method.Shape}: this member calls methods {form}.");
}
