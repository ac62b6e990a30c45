using Mux.Calls;
using Mux.Contracts;
using Mux.Protocol;
using Mux.Serialization;

namespace Mux.Push;

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
