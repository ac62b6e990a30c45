using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Emitting;

/// <summary>A file with codecs. It is emitted again when its name or one of its messages changes.</summary>
/// <param name="Name">File name.</param>
/// <param name="Messages">The messages that it reads and writes.</param>
internal sealed record CodecFile(string Name, EquatableArray<MessageModel> Messages)
{
    /// <summary>
    /// Most messages of a project that have a file each. The compiler compares the names of all generated files with each
    /// other after each edit, whatever was edited: 23 ms for 3,600 files, and 0.7 ms for 400.
    /// </summary>
    private const int MaxAlone = 500;

    // As few files as that are compared soon, and as many that the edit of a message emits few others again.
    private const int SharedFiles = 256;

    /// <summary>Gets the files of a project. A message stays in its file, whatever other messages there are of a large project.</summary>
    public static IEnumerable<CodecFile> Assign(IReadOnlyList<MessageModel> messages) => messages.Count <= MaxAlone
        ? FileNames.Assign(messages, static message => message.Codec).Select(static file => new CodecFile(file.Name, new([file.Model])))
        : messages.GroupBy(static message => PlaceOf(message.Codec)).OrderBy(static group => group.Key)
            .Select(static group => new CodecFile($"Codecs.{group.Key:x2}.g.cs", new([.. group])));

    // FNV-1a: the same in each process.
    private static uint PlaceOf(string codec)
    {
        uint hash = 2_166_136_261;
        foreach (char one in codec) hash = unchecked((hash ^ one) * 16_777_619);
        return hash % SharedFiles;
    }
}
