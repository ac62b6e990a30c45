using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>Encodes the request of a call that streams, and starts the call.</summary>
internal static class StreamStart
{
    /// <summary>Fails a call that was made without its request stream.</summary>
    /// <returns>The exception; null if the request stream is there or not needed.</returns>
    public static MuxException? FailWithoutItems<TItem, TMethod>(CallRoute route, IAsyncEnumerable<TItem>? items)
        where TMethod : struct, IMethod => items is null && (TMethod.Descriptor.Shape & MethodShape.RequestStream) != 0
            ? new MuxException(OutgoingFailure.CountUnencodable<TMethod>(route, new ArgumentNullException(nameof(items), "the request stream is null")))
            : null;

    /// <summary>Encodes the request and starts the call.</summary>
    /// <exception cref="MuxException">The request could not be encoded. Nothing was sent.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout of the options is infinite.</exception>
    public static void Run<TRequest, TItem, TResponse, TMethod>(
        StreamCall<TRequest, TItem, TResponse, TMethod> call, CallRoute route, TRequest request, MuxCallOptions? options)
        where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            try
            {
                TMethod.EncodeRequest(ref writer, request);
            }
            catch (Exception thrown)
            {
                throw new MuxException(OutgoingFailure.CountUnencodable<TMethod>(route, thrown));
            }

            OutgoingOptions.Apply(call, route, OutgoingOptions.DeadlineOf(TMethod.Descriptor, route), OutgoingOptions.InForce(options));
            route.StartEncoded(call, buffer, writer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }
}
