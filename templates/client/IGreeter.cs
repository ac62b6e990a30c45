using Mux;

[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)] // how dates, Guid and decimal are written

namespace MuxApp._1;

/// <summary>The contract. Peers know it as "greeter", so the interface may be renamed.</summary>
[MuxService("greeter")]
public interface IGreeter
{
    /// <summary>Greets a person by name.</summary>
    /// <exception cref="MuxException">InvalidArgument: the request has no name.</exception>
    ValueTask<Greeting> GreetAsync(GreetingRequest request, CancellationToken cancellationToken = default);
}
