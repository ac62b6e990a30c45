using System.Diagnostics.CodeAnalysis;
using System.Net;
using Microsoft.Extensions.Primitives;
using Microsoft.Extensions.ServiceDiscovery;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.ServiceDiscovery.Tests;

/// <summary>A provider, and the factory of it, that says what the test has written.</summary>
internal sealed class ScriptedProvider : IServiceEndpointProviderFactory, IServiceEndpointProvider
{
    public List<EndPoint> EndPoints { get; } = [];

    /// <summary>The host name that goes with each endpoint; null for none.</summary>
    public string? HostName { get; set; }

    /// <summary>Creates the token of one look; null for none.</summary>
    public Func<IChangeToken?> Token { get; set; } = () => null;

    /// <summary>Runs within each look, after the token was added.</summary>
    public Func<Task> OnLook { get; set; } = () => Task.CompletedTask;

    public Counter Looks { get; } = new("looks at the provider");

    public bool IsDisposed { get; private set; }

    public List<ServiceEndpointQuery> Queries { get; } = [];

    public bool TryCreateProvider(ServiceEndpointQuery query, [NotNullWhen(true)] out IServiceEndpointProvider? provider)
    {
        Queries.Add(query);
        provider = this;
        return true;
    }

    public async ValueTask PopulateAsync(IServiceEndpointBuilder endpoints, CancellationToken cancellationToken)
    {
        if (Token() is { } token) endpoints.AddChangeToken(token);
        foreach (var endPoint in EndPoints)
        {
            var endpoint = ServiceEndpoint.Create(endPoint);
            if (HostName is { } name) endpoint.Features.Set<IHostNameFeature>(new Name(name));
            endpoints.Endpoints.Add(endpoint);
        }

        await OnLook();
        Looks.Add();
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    private sealed record Name(string HostName) : IHostNameFeature;
}
