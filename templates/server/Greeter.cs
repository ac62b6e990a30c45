using Mux;

namespace MuxApp._1;

/// <summary>The service. One object serves all calls, which run at the same time.</summary>
public sealed class Greeter : IGreeter
{
    public ValueTask<Greeting> GreetAsync(GreetingRequest request, CancellationToken cancellationToken)
    {
        // The caller gets status and message. Of any other exception it gets nothing but the status Unknown.
        if (string.IsNullOrWhiteSpace(request.Name)) throw new MuxException(MuxStatus.InvalidArgument, "Name is missing: expected the name of whom to greet.");
        return new(new Greeting { Text = $"Hello, {request.Name}!" });
    }
}
