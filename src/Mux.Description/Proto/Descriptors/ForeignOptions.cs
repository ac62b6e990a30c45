using System.Text;
using Mux.Description.Proto.Printing;
using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>
/// Finds out where the number of Mux's options means something else in a set: it is one of those that every organization may
/// use in its own files.
/// </summary>
internal sealed class ForeignOptions
{
    private const string WellKnown = "google/protobuf/";
    private const string DescriptorFile = $"{WellKnown}descriptor.proto";
    private const string Place = "a file";
    private static readonly UTF8Encoding s_utf8 = new();

    private static readonly string[] s_options =
        [".google.protobuf.FieldOptions", ".google.protobuf.MethodOptions", ".google.protobuf.ServiceOptions"];

    private readonly Dictionary<string, Node> _files = new(StringComparer.Ordinal);

    private ForeignOptions()
    {
    }

    /// <summary>What a file shows to those that import it.</summary>
    [Flags]
    private enum Marks
    {
        None = 0,

        /// <summary>The messages of options, which only files that see them extend.</summary>
        Messages = 1,

        /// <summary>Mux's options.</summary>
        Own = 2,

        /// <summary>Options of others with the number, or a file that the set lacks, which may have some.</summary>
        Foreign = 4,
    }

    /// <param name="bytes">The FileDescriptorSet.</param>
    /// <param name="place">The set, for errors.</param>
    public static ForeignOptions Read(ReadOnlySpan<byte> bytes, string place)
    {
        var read = new ForeignOptions();
        var names = new List<string>();
        var set = new WireReader(bytes, place);
        while (set.Read())
        {
            if (set.Field == 1) names.Add(read.ReadImports(set.Content()));
        }

        foreach (var entry in read._files) Mark(entry.Value, MarkOf(entry.Key, entry.Value));

        int next = 0;
        set = new WireReader(bytes, place);
        while (set.Read())
        {
            if (set.Field != 1) continue;
            var node = read._files[names[next++]];
            bool isOther = (node.Seen & (Marks.Messages | Marks.Own)) == Marks.Messages;
            if (isOther && Declares(set.Content(), extension: 7, nested: 4, depth: 0)) Mark(node, Marks.Foreign);
        }

        return read;
    }

    /// <summary>
    /// True if the number means Mux's options in a file of the set. Files that are joined of contracts need not import what
    /// declares them.
    /// </summary>
    /// <param name="file">Name of the file.</param>
    public bool AreOwn(string file) => (_files[file].Seen & (Marks.Own | Marks.Foreign)) != Marks.Foreign;

    // Adds the file, and returns its name.
    private string ReadImports(ReadOnlySpan<byte> file)
    {
        var name = string.Empty;
        var imports = new List<Node>();
        var publics = new HashSet<int>();
        var header = new WireReader(file, Place);
        while (header.Read())
        {
            if (header.Field == 1) name = s_utf8.GetString(header.Bytes.ToArray());
            else if (header.Field == 3) imports.Add(NodeOf(s_utf8.GetString(header.Bytes.ToArray())));
            else if (header.Field == 10) publics.Add(header.Int32());
        }

        var node = NodeOf(name);
        node.IsThere = true;
        node.Imports = imports;
        foreach (int index in publics.Where(index => index >= 0 && index < imports.Count)) (imports[index].ShownBy ??= []).Add(node);
        return name;
    }

    private Node NodeOf(string file)
    {
        if (!_files.TryGetValue(file, out var node)) _files.Add(file, node = new Node());
        return node;
    }

    private static Marks MarkOf(string file, Node node) => file switch
    {
        ProtoPrinter.OptionsFile => Marks.Own,
        DescriptorFile => Marks.Messages,
        _ => node.IsThere || file.StartsWith(WellKnown, StringComparison.Ordinal) ? Marks.None : Marks.Foreign,
    };

    // Also marks the files that show this one by a public import.
    private static void Mark(Node first, Marks mark)
    {
        if (mark == Marks.None) return;
        var unmarked = new Stack<Node>([first]);
        while (unmarked.Count > 0)
        {
            var node = unmarked.Pop();
            if ((node.Shown & mark) != 0) continue;
            node.Shown |= mark;
            foreach (var other in node.ShownBy ?? []) unmarked.Push(other);
        }
    }

    private static bool Declares(ReadOnlySpan<byte> scope, int extension, int nested, int depth)
    {
        var reader = new WireReader(scope, Place);
        while (reader.Read())
        {
            if (reader.Field == extension && IsOption(reader.Content())) return true;
            if (reader.Field != nested || depth > DescriptionLimits.Depth) continue;
            if (Declares(reader.Content(), extension: 6, nested: 3, depth + 1)) return true;
        }

        return false;
    }

    private static bool IsOption(ReadOnlySpan<byte> field)
    {
        bool isOfOptions = false, hasNumber = false;
        var reader = new WireReader(field, Place);
        while (reader.Read())
        {
            if (reader.Field == 2) isOfOptions = IsOptions(s_utf8.GetString(reader.Bytes.ToArray()));
            else if (reader.Field == 3) hasNumber = reader.Number == OptionsReader.Extension;
        }

        return isOfOptions && hasNumber;
    }

    private static bool IsOptions(string name) => s_options.Contains(name, StringComparer.Ordinal);

    /// <summary>A file of the set, or one that such a file imports.</summary>
    private sealed class Node
    {
        public bool IsThere { get; set; }

        public Marks Shown { get; set; }

        public List<Node>? Imports { get; set; }

        /// <summary>Gets the files that import it publicly.</summary>
        public List<Node>? ShownBy { get; set; }

        /// <summary>Gets what the file itself sees.</summary>
        public Marks Seen => (Imports ?? []).Aggregate(Shown, static (all, import) => all | import.Shown);
    }
}
