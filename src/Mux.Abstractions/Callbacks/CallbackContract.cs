using System.ComponentModel;

namespace Mux.Callbacks;

/// <summary>A callback interface, as the generator describes it for one contract. Immutable.</summary>
/// <param name="name">Name of the interface, for errors.</param>
/// <param name="concurrent">Number of methods of one object that run concurrently.</param>
/// <param name="methods">The methods.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackContract(string name, int concurrent, params CallbackMethod[] methods)
{
    internal string Name => name;

    internal int Concurrent => concurrent;

    /// <summary>Gets the method with a wire name; null if this side has none.</summary>
    internal CallbackMethod? Find(string wireName) => Array.Find(methods, method => method.Name == wireName);

    internal void Prepare()
    {
        foreach (var method in methods) method.Prepare();
    }
}
