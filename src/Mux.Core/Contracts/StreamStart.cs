using Mux.Channels;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>Encodes the request of a call that streams, and starts the call.</summary>
internal static class StreamStart
{
    /// <exception cref="MuxException">The request could not be encoded. Nothing was sent.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The deadline of the options is not more than 0.</exception>
    public static void Run<TService, TRequest, TItem, TResponse, TMethod>(
        StreamCall<TService, TRequest, TItem, TResponse, TMethod> call, ConnectionPool pool, TRequest request, CallOptions? options)
        where TService : class
        where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse>
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
                throw new MuxException(OutgoingFailure.CountUnencodable<TMethod>(pool, thrown));
            }

            OutgoingOptions.Apply(call, pool, OutgoingOptions.DeadlineOf(TMethod.Descriptor, pool), OutgoingOptions.InForce(options));
            pool.StartEncoded(call, buffer, writer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }
}
