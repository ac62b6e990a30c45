using Mux.Description.Proto.Descriptors;

namespace Mux.Description.Proto.Joining;

/// <summary>
/// Makes a FileDescriptorSet of descriptors: one file for each package, and another one for its messages of proto2. Files follow those that they import. Equal
/// contracts give equal bytes.
/// </summary>
internal sealed class FileJoin
{
    private const string Extension = ".proto";

    private readonly Dictionary<string, JoinedType> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);

    public FileJoin(IEnumerable<TypePart> parts)
    {
        foreach (var part in parts)
        {
            var type = new JoinedType(part);
            _types[type.FullName] = _types.TryGetValue(type.FullName, out var known) ? known : type;
        }
    }

    public byte[] Join()
    {
        FileRanks.Assign(_types);
        var files = _types.Values.GroupBy(FileOf, StringComparer.Ordinal)
            .ToDictionary(static file => file.Key, static file => file.ToList(), StringComparer.Ordinal);
        NameFiles(files.Keys);
        var imports = files.ToDictionary(static file => file.Key, file => ImportsOf(file.Key, file.Value), StringComparer.Ordinal);
        var set = new WireWriter(SizeOf(_types.Values));
        var written = new HashSet<string>(StringComparer.Ordinal);
        foreach (var file in files.Keys.OrderBy(static file => file, StringComparer.Ordinal)) Write(file);
        return set.ToArray();

        void Write(string file)
        {
            if (!written.Add(file)) return;
            if (!files.TryGetValue(file, out var types))
            {
                foreach (var shared in SharedFiles.Describe(file).Where(shared => shared.Name == file || written.Add(shared.Name)))
                    set.Message(1, shared.Descriptor);
                return;
            }

            foreach (var import in imports[file]) Write(import);
            set.Message(1, Describe(_names[file], types, imports[file].Select(import => _names.TryGetValue(import, out var name) ? name : import)));
        }
    }

    // Packages may differ in casing only, such as that of a namespace and of the service in it. Some file systems cannot hold both names.
    private void NameFiles(IEnumerable<string> files)
    {
        var taken = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var file in files.OrderBy(static file => file, StringComparer.Ordinal))
        {
            var name = file;
            while (!taken.Add(name)) name = $"{name.Substring(0, name.Length - Extension.Length)}_{Extension}";
            _names.Add(file, name);
        }
    }

    private static string FileOf(JoinedType type)
    {
        var (package, isProto2) = type.Group;
        return $"{(package.Length == 0 ? "_" : package)}{(isProto2 ? ".proto2" : string.Empty)}{(type.Rank == 0 ? string.Empty : $".{type.Rank}")}{Extension}";
    }

    private static WireWriter Describe(string file, List<JoinedType> types, IEnumerable<string> imports)
    {
        var (package, isProto2) = types[0].Group;
        var descriptor = new WireWriter(SizeOf(types)).Text(1, file);
        if (package.Length > 0) descriptor.Text(2, package);
        foreach (var import in imports) descriptor.Text(3, import);
        types.Sort(static (left, right) => string.CompareOrdinal(left.Name, right.Name));
        foreach (var type in types.Where(static type => type.Part.Kind is PartKind.Message or PartKind.Proto2Message))
            descriptor.Bytes(4, type.Part.Descriptor.Span);
        foreach (var type in types.Where(static type => type.Part.Kind is PartKind.Enum or PartKind.Proto2Enum))
            descriptor.Bytes(5, type.Part.Descriptor.Span);
        foreach (var type in types.Where(static type => type.Part.Kind == PartKind.Service)) descriptor.Bytes(6, type.Part.Descriptor.Span);
        return isProto2 ? descriptor : SharedFiles.EndProto3(descriptor);
    }

    // With the beginnings of the types, and names.
    private static int SizeOf(IEnumerable<JoinedType> types) => 256 + types.Sum(static type => type.Part.Descriptor.Length + 8);

    private List<string> ImportsOf(string file, List<JoinedType> types) => [.. types.SelectMany(static type => type.Names)
        .Select(name => Find(_types, name) is { } type ? FileOf(type) : SharedFiles.FileOf(name))
        .OfType<string>().Where(import => import != file).Distinct(StringComparer.Ordinal).OrderBy(static import => import, StringComparer.Ordinal)];

    /// <summary>Finds the type with a name, or with a message around it of this name; null if the contracts do not declare it.</summary>
    public static JoinedType? Find(Dictionary<string, JoinedType> types, string name)
    {
        while (true)
        {
            if (types.TryGetValue(name, out var type)) return type;
            int dot = name.LastIndexOf('.');
            if (dot < 0) return null;
            name = name.Substring(0, dot);
        }
    }
}
