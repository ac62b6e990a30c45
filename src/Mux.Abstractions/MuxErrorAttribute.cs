namespace Mux;

/// <summary>
/// Declares a message type that the failures of a method, or of all methods of a service, may carry. The handler sets the message
/// (<see cref="MuxException.Detail"/>, <see cref="MuxFailure.Detail"/>) and the caller reads it.
/// </summary>
/// <typeparam name="TDetail">A message type. A method and its service together declare each type at most once.</typeparam>
/// <param name="number">Identifies the type on the wire, 1 to 65,535. Unique among the declarations of the method and its service.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Interface, AllowMultiple = true, Inherited = false)]
public sealed class MuxErrorAttribute<TDetail>(int number) : Attribute
{
    /// <summary>Gets the number that identifies the type on the wire.</summary>
    public int Number { get; } = number;
}
