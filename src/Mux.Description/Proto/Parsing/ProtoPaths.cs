namespace Mux.Description.Proto.Parsing;

/// <summary>Rules for the paths of files, which strangers may have written, and by which files of this machine are read.</summary>
internal static class ProtoPaths
{
    public const string Allowed = "allowed are parts separated by '/', none of them empty, '.' or '..', without control characters and \\ : \" * ? < > |";

    public static bool IsValid(string path)
    {
        if (path.Length is 0 or > ProtoLimits.FullNameLength) return false;
        foreach (char character in path)
        {
            if (char.IsControl(character) || character is '\\' or ':' or '"' or '*' or '?' or '<' or '>' or '|') return false;
        }

        foreach (var part in path.Split('/'))
        {
            if (part is "" or "." or "..") return false;
        }

        return true;
    }
}
