namespace System.Runtime.CompilerServices;

/// <summary>Required by the compiler to pass the parts of an interpolated string; netstandard2.0 lacks it.</summary>
[AttributeUsage(AttributeTargets.Struct)]
internal sealed class InterpolatedStringHandlerAttribute : Attribute;
