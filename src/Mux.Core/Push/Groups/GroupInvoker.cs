using Mux.Calls;
using Mux.Contracts;
using Mux.Protocol;
using Mux.Serialization;

namespace Mux.Push;

/// <summary>Makes the calls of proxies whose one-way calls go to all members of a group. Other methods fail when they are called.</summary>
/// <param name="target">The groups.</param>
/// <param name="except">Who gets none of the calls; null if all members do.</param>
/// <param name="report">Learns what becomes of the calls, which then complete without waiting for members; null if their callers wait.</param>
internal sealed class GroupInvoker(GroupTarget target, GroupExcept? except, GroupSend? report = null) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) =>
        target.Kind.Methods.Find(method.Descriptor.FullName) is TypedGroupMethod<TRequest, TResponse> known
            ? new GroupCaller<TRequest, TResponse>(known, method, target, except, report)
            : new RefusedCaller<TRequest, TResponse>(method.Descriptor);

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) =>
        new RefusedStreamCaller<TRequest, TItem, TResponse>(method.Descriptor);
}

/// <summary>Refuses calls of a method with a stream.</summary>
internal sealed class RefusedStreamCaller<TRequest, TItem, TResponse>(MethodDescriptor method) : StreamCaller<TRequest, TItem, TResponse>
{
    public override ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken) => throw RefusedCall.Of(method);

    public override IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken) => throw RefusedCall.Of(method);
}

/// <summary>Refuses calls of a method that a group cannot call.</summary>
internal sealed class RefusedCaller<TRequest, TResponse>(MethodDescriptor method) : MethodCaller<TRequest, TResponse>
{
    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => throw RefusedCall.Of(method);

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) => throw RefusedCall.Of(method);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        throw RefusedCall.Of(method);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        throw RefusedCall.Of(method);
}

/// <summary>Makes calls of one one-way method to all members of a group. Safe for concurrent use.</summary>
internal sealed class GroupCaller<TRequest, TResponse>(
    TypedGroupMethod<TRequest, TResponse> method, ContractMethod contract, GroupTarget target, GroupExcept? except, GroupSend? report)
    : MethodCaller<TRequest, TResponse>
{
    private string Name => $"the group {target.Kind.Counters.Name}";

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) => Call(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        Call(request, options, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => CallAsync(request, null, cancellationToken);

    public override async ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        await Call(request, options, cancellationToken).ConfigureAwait(false);
        return default!;
    }

    /// <exception cref="ArgumentOutOfRangeException">The timeout of the options is infinite.</exception>
    private ValueTask Call(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        if (options is not null || OutgoingOptions.IsAnythingAmbient) options = OutgoingOptions.InForce(options);
        if (options?.Metadata is { } metadata && !MetadataBlock.TryMeasure(metadata, ushort.MaxValue, out _))
        {
            var limit = $"no peer can accept more than {ushort.MaxValue}";
            var text = MetadataBlock.DescribeExcess(metadata, "request", limit);
            return ValueTask.FromException(new MuxException(OutgoingFailure.NotSendable(contract, Name, text)));
        }

        var buffer = MessageBuffer.Rent();
        try
        {
            var body = Encode(buffer, request, out var failure);
            if (failure is not null) return ValueTask.FromException(new MuxException(failure));
            var send = target.Call(method, buffer, body, options, except, report);
            return send is null || report is not null ? default : send.WaitAsync(cancellationToken);
        }
        finally
        {
            buffer.Return();
        }
    }

    private ReadOnlySpan<byte> Encode(MessageBuffer buffer, TRequest request, out MuxFailure? failure)
    {
        failure = null;
        var writer = buffer.CreateWriter();
        try
        {
            method.Requests.Encode(ref writer, request);
        }
        catch (Exception thrown)
        {
            failure = OutgoingFailure.Unencodable(contract, Name, thrown);
        }

        return writer.Written;
    }
}

/// <summary>Says why a group does not call a method.</summary>
internal static class RefusedCall
{
    public static NotSupportedException Of(MethodDescriptor method) => new(
        $"{method.FullName} is not one-way, and a group calls only one-way methods: a call that goes to many peers has no reply. Give it " +
        "[MuxMethod(OneWay = true)], or call the peers one by one: peer.Get<T>().");
}
