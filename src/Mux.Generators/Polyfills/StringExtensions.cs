namespace System;

/// <summary>Methods of texts that netstandard2.0 lacks.</summary>
internal static class StringExtensions
{
    public static bool Contains(this string text, string part, StringComparison comparison) => text.IndexOf(part, comparison) >= 0;
}
