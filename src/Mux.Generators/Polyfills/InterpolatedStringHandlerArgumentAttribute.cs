namespace System.Runtime.CompilerServices;

/// <summary>What the compiler asks for to give an interpolated string its receiver; netstandard2.0 lacks it.</summary>
/// <param name="argument">The parameter that is passed; empty for the receiver.</param>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class InterpolatedStringHandlerArgumentAttribute(string argument) : Attribute
{
    public string[] Arguments { get; } = [argument];
}
