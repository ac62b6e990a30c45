namespace System.Diagnostics.CodeAnalysis;

/// <summary>Tells the compiler that a method throws; netstandard2.0 lacks it.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class DoesNotReturnAttribute : Attribute;
