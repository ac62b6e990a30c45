namespace Mux.Fuzz.Tests;

/// <summary>The inputs of a target that are kept beside its code: a line of hexadecimal digits each.</summary>
internal static class CorpusFile
{
    public static List<byte[]> Read(FuzzTarget target) => [.. File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Corpus", FileOf(target))).Where(static line => line.Length > 0).Select(Convert.FromHexString)];

    /// <summary>Writes a corpus anew, the shortest inputs first.</summary>
    public static void Write(FuzzTarget target, string folder, IEnumerable<byte[]> inputs) =>
        File.WriteAllLines(Path.Combine(folder, FileOf(target)), inputs.OrderBy(static input => input.Length).Select(Convert.ToHexString));

    private static string FileOf(FuzzTarget target) => target.Name + ".txt";
}
