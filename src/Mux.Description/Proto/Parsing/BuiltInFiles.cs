namespace Mux.Description.Proto.Parsing;

/// <summary>The files that are built in: those of protobuf, of protobuf-net and of Mux.</summary>
internal static class BuiltInFiles
{
    private const string Prefix = "mux-proto/";

    /// <returns>The text; null if there is no such file.</returns>
    public static string? Read(string name)
    {
        using var stream = typeof(BuiltInFiles).Assembly.GetManifestResourceStream(Prefix + name);
        if (stream is null) return null;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
