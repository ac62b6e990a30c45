using System.CommandLine;
using System.Reflection;
using Mux.Transports;

namespace Mux.Tool.Serving;

/// <summary>What moves the bytes of this process: the portable engine, or a transport of an assembly that the tool knows nothing of. Chosen once, before a command runs.</summary>
internal static class Engine
{
    public const string Portable = "portable";

    private const string OptionName = "--engine";

    /// <summary>Of all commands. A server that a bench starts gets it passed on.</summary>
    public static Option<string> Option { get; } = new(OptionName)
    {
        Description = "What moves the bytes: portable, or a transport from elsewhere: NAME for Mux.Transports.NAME.dll beside this tool, or the path of such a file",
        HelpName = "NAME",
        DefaultValueFactory = _ => Portable,
        Recursive = true,
    };

    /// <summary>As it was given.</summary>
    public static string Name { get; private set; } = Portable;

    /// <summary>Null for the portable engine.</summary>
    public static ITransport? Loaded { get; private set; }

    /// <exception cref="ToolException">There is no such engine.</exception>
    public static void Choose(string name)
    {
        Name = name;
        Loaded = name == Portable ? null : Load(name);
    }

    private static ITransport Load(string name)
    {
        var file = FileOf(name) ?? throw Wrong(name, $"expected {Portable}, NAME for Mux.Transports.NAME.dll in {AppContext.BaseDirectory}, or the path of such a file");
        try
        {
            var types = Assembly.LoadFrom(file).GetExportedTypes().Where(type => type.IsClass && type.IsAssignableTo(typeof(ITransport)) && type.GetConstructor([]) is not null).ToArray();
            return types is [var only] ? (ITransport)Activator.CreateInstance(only)! : throw Wrong(name, $"{file} has {types.Length} transports that can be made without arguments, not one");
        }
        catch (Exception error) when (error is IOException or BadImageFormatException or TypeLoadException)
        {
            throw Wrong(name, error.Message.TrimEnd('.'));
        }
    }

    private static string? FileOf(string name)
    {
        if (name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)) return File.Exists(name) ? Path.GetFullPath(name) : null;
        var wanted = $"Mux.Transports.{name}.dll";
        return Directory.EnumerateFiles(AppContext.BaseDirectory, "*.dll").FirstOrDefault(file => Path.GetFileName(file).Equals(wanted, StringComparison.OrdinalIgnoreCase));
    }

    private static ToolException Wrong(string name, string reason) => new(ExitCode.Usage, $"{OptionName} '{name}': {reason}.");
}
