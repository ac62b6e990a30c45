namespace System.Runtime.CompilerServices;

/// <summary>Required by the compiler to pass the receiver to an interpolated string; netstandard2.0 lacks it.</summary>
/// <param name="argument">Parameter to pass; empty for the receiver.</param>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class InterpolatedStringHandlerArgumentAttribute(string argument) : Attribute
{
    public string[] Arguments { get; } = [argument];
}
