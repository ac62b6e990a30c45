using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Describing;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the class with all generated code for one contract: its methods, its proxy, its description.</summary>
internal static class ServiceEmitter
{
    // An added contract moves all files that follow, and the driver of generators compares files by their place.
    private static readonly LastMade<ServiceModel, EmittedFile> s_emitted = new();

    public static SourceText EmitFile(ServiceModel service, string assembly) =>
        s_emitted.Of(service) is { } last && last.Assembly == assembly ? last.Text
            : s_emitted.Keep(service, new(assembly, Emit(service, assembly))).Text;

    private static SourceText Emit(ServiceModel service, string assembly)
    {
        var writer = SourceWriter.ForFile(assembly);
        writer.Line($"/// <summary>What is generated for {service.DisplayName}.</summary>");
        writer.InternalCode();
        writer.Open($"internal static class {service.Container}");
        var payloads = new PayloadEmitter(writer);
        CallbackEmitter.EmitFields(writer, service, payloads);
        foreach (var method in service.Methods)
        {
            CallbackEmitter.EmitShape(writer, service, method, payloads);
            MethodEmitter.EmitField(writer, service, method, payloads);
            writer.Line();
        }

        EmitContract(writer, service);
        writer.Line();
        ProxyEmitter.Emit(writer, service);
        payloads.EmitClasses();
        foreach (var method in service.Methods) MethodEmitter.EmitTypes(writer, method);
        CallbackEmitter.EmitTypes(writer, service);
        writer.Close();
        BatchEmitter.Emit(writer, service);
        return writer.ToText();
    }

    private static void EmitContract(SourceWriter writer, ServiceModel service)
    {
        writer.Open($"internal sealed class Contract : ServiceContract<{service.InterfaceName}>");
        writer.Line($"public override string Name => \"{service.WireName}\";");
        writer.Line();
        writer.Line($"public override {service.InterfaceName} CreateProxy(CallInvoker invoker) => new Proxy(invoker);");
        writer.Line();
        writer.Open($"public override void Describe(IMethodVisitor visitor)");
        foreach (var method in service.Methods)
        {
            var surface = MethodSurface.Of(method);
            writer.Line($"visitor.{surface.Visit}({MethodSurface.FieldOf(method)});");
        }

        writer.Close();
        DescriptionEmitter.EmitService(writer, service.Description);
        writer.Close();
    }

    private sealed record EmittedFile(string Assembly, SourceText Text);
}
