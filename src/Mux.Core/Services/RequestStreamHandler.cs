using Mux.Contracts;
using Mux.Serialization;
using Mux.Sessions.Incoming;
using Mux.Sessions.Streaming;

namespace Mux.Services;

/// <summary>Runs requests of one method with a request stream and one response.</summary>
internal sealed class RequestStreamHandler<TService, TRequest, TItem, TResponse, TMethod>(ServiceSource<TService> services, HandlerEnvironment environment)
    : StreamHandler<TService, TRequest, TItem, TResponse, TMethod>(services, environment)
    where TService : class
    where TMethod : struct, IRequestStreamMethod<TService, TRequest, TItem, TResponse>
{
    protected override async Task AnswerAsync(
        TService service, InboundCall call, AcceptedStream stream, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var response = await TMethod.InvokeAsync(service, request, ItemsOf(stream), options, cancellationToken).ConfigureAwait(false);
        Reply(call, response);
    }

    private void Reply(in InboundCall call, TResponse response)
    {
        MuxStatus status;
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            TMethod.EncodeResponse(ref writer, response);
            status = call.Reply(writer.Written, buffer);
        }
        catch (Exception error)
        {
            Failures.FailUnencodable(call, error);
            return;
        }
        finally
        {
            buffer.Return();
        }

        Failures.Record(call, status);
    }
}
