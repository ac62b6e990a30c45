using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Microsoft.Extensions.ServiceDiscovery;

namespace Mux.Discovery.ServiceDiscovery;

/// <summary>
/// Collects what providers know at one moment, and asks for another look as soon as one of them signals a change: from the moment its token is added, also
/// while other providers are still asked. Used by one watch; signals come on any thread.
/// </summary>
/// <param name="refresh">Gets the signals. It counts many as one, and leaves a second between two looks.</param>
internal sealed class ResolutionRound(EndpointRefresh refresh) : IServiceEndpointBuilder, IDisposable
{
    private readonly List<IDisposable> _registrations = [];

    public IList<ServiceEndpoint> Endpoints { get; } = [];

    public IFeatureCollection Features { get; } = new FeatureCollection();

    public void AddChangeToken(IChangeToken changeToken)
    {
        ArgumentNullException.ThrowIfNull(changeToken);
        if (changeToken.ActiveChangeCallbacks) // others are found by the poll
            _registrations.Add(changeToken.RegisterChangeCallback(static refresh => ((EndpointRefresh)refresh!).Request(), refresh));
    }

    /// <summary>Takes the callbacks from the tokens, which live as long as the configuration.</summary>
    public void Dispose()
    {
        foreach (var registration in _registrations) registration.Dispose();
    }
}
