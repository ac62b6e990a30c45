namespace System.Runtime.CompilerServices;

/// <summary>Required by the compiler to emit init accessors; netstandard2.0 lacks it.</summary>
internal static class IsExternalInit;
