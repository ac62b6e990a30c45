using Mux.Discovery;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Hosting;

/// <summary>A discovery system that does what a test wants; by default it accepts all.</summary>
internal sealed class ScriptedRegistry : IEndpointRegistry, IDisposable
{
    public string Name => "test://registry";

    public Func<CancellationToken, Task> OnRegister { get; set; } = static _ => Task.CompletedTask;

    public Func<CancellationToken, Task> OnDeregister { get; set; } = static _ => Task.CompletedTask;

    public Counter Registrations { get; } = new("attempts to register");

    public Counter Deregistrations { get; } = new("attempts to deregister");

    /// <summary>What was registered last.</summary>
    public MuxEndpoint? Endpoint { get; private set; }

    public bool IsDisposed { get; private set; }

    public Task RegisterAsync(MuxEndpoint endpoint, CancellationToken cancellationToken)
    {
        Endpoint = endpoint;
        Registrations.Add();
        return OnRegister(cancellationToken);
    }

    public Task DeregisterAsync(CancellationToken cancellationToken)
    {
        Deregistrations.Add();
        return OnDeregister(cancellationToken);
    }

    public void Dispose() => IsDisposed = true;
}
