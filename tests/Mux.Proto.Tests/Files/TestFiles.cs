namespace Mux.Proto.Tests.Files;

/// <summary>The texts of the files that this project imports, and of those that it only compares with.</summary>
internal static class TestFiles
{
    public static string? Read(string name)
    {
        using var stream = typeof(TestFiles).Assembly.GetManifestResourceStream(name);
        return stream is null ? null : new StreamReader(stream).ReadToEnd();
    }
}
