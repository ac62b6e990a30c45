using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the module initializer that registers the contracts of an assembly.</summary>
internal static class RegistrationEmitter
{
    public static SourceText EmitFile(EquatableArray<RegisteredModel> services, string assembly)
    {
        var writer = SourceWriter.ForFile(assembly);
        writer.Line("/// <summary>Makes the contracts of this assembly known when its module is loaded or asked for one.</summary>");
        writer.InternalCode();
        writer.Open("internal static class Registration");
        writer.Line("[global::System.Runtime.CompilerServices.ModuleInitializer]");
        writer.Open("internal static void Register()");
        foreach (var service in services)
            writer.Line($"ServiceContract<{service.InterfaceName}>.Register(new {service.Container}.Contract());");
        writer.Close();
        writer.Close();
        return writer.ToText();
    }
}
