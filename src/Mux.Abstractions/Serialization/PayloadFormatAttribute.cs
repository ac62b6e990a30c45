namespace Mux.Serialization;

/// <summary>
/// What the generator must know of an <see cref="IPayloadSerializer"/> while it compiles a contract. A serializer without it is a build error (MUX0058).
/// </summary>
/// <param name="name">What its bytes are called where the two sides are compared: <c>json</c>. Serializers that read each other's bytes have the same name. 1
/// to 127 characters of letters, digits, '.', '_' and '-'.</param>
/// <param name="types">The types of which values can be sent, and those that derive from or implement them; a contract with another one is a build error
/// (MUX0060). None for all types.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class PayloadFormatAttribute(string name, params Type[] types) : Attribute
{
    /// <summary>
    /// What its bytes are called. Nothing is looked up by it: two sides with different names are told so where a message cannot be read, and understand each
    /// other otherwise.
    /// </summary>
    public string Name { get; } = name;

    /// <summary>The types of which values can be sent; none for all types.</summary>
    public IReadOnlyList<Type> Types { get; } = types;
}
