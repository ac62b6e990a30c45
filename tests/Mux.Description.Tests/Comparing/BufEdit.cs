namespace Mux.Description.Tests.Comparing;

/// <summary>An edit of a file, which buf and the rules here judge.</summary>
/// <param name="Rules">The rules of buf that it is for, which buf has to report; none for those that are only compared.</param>
/// <param name="What">What changes: its name in buf.txt.</param>
/// <param name="Before">The file before it, as <see cref="RuleCase.Before"/> has it, or with another package in front.</param>
/// <param name="After">The file after it; null if it is gone.</param>
internal sealed record BufEdit(string Rules, string What, string Before, string? After)
{
    public bool IsFor(string rule) => Rules.Split(' ').Contains(rule);

    /// <summary>Gets the whole text of a file.</summary>
    /// <param name="text">Its declarations.</param>
    /// <param name="package">The package instead of t, which is that of the declarations unless they name another.</param>
    public static string Whole(string text, string package = "t")
    {
        int end = text.StartsWith("package ", StringComparison.Ordinal) ? text.IndexOf(';', StringComparison.Ordinal) + 1 : 0;
        var name = end == 0 ? "package t;" : text[..end];
        return Texts.Whole(text[end..]).Replace("package t;", name.Replace("package t", $"package {package}", StringComparison.Ordinal), StringComparison.Ordinal);
    }
}
