using Microsoft.Extensions.Primitives;

namespace Mux.Discovery.ServiceDiscovery.Tests;

/// <summary>A token that counts who waits for it.</summary>
internal sealed class CountedToken : IChangeToken
{
    private readonly List<Action> _callbacks = [];

    public bool HasChanged { get; private set; }

    public bool ActiveChangeCallbacks { get; init; } = true;

    public int Registrations => _callbacks.Count;

    public IDisposable RegisterChangeCallback(Action<object?> callback, object? state)
    {
        Action call = () => callback(state);
        _callbacks.Add(call);
        return new Registration(() => _callbacks.Remove(call));
    }

    public void Fire()
    {
        HasChanged = true;
        foreach (var callback in _callbacks.ToList()) callback();
    }

    private sealed class Registration(Action end) : IDisposable
    {
        public void Dispose() => end();
    }
}
