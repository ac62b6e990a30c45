namespace Mux;

/// <summary>
/// Declares what may come with a failure of a method, or of all methods of a service: a message of its own that the handler sets
/// (<see cref="MuxException.Detail"/>, <see cref="MuxFailure.Detail"/>) and the caller reads.
/// </summary>
/// <typeparam name="TDetail">A message type. A method and its service declare each type once.</typeparam>
/// <param name="number">By which the type is known on the wire, 1 to 65,535; unique among those of the method and its service.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class MuxErrorAttribute<TDetail>(int number) : Attribute
{
    /// <summary>By which the type is known on the wire.</summary>
    public int Number { get; } = number;
}
